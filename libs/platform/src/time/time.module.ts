import { Global, Module } from '@nestjs/common';

import { SystemClock } from './system-clock.js';

/** The clock, which everything may ask for. */
@Global()
@Module({ providers: [SystemClock], exports: [SystemClock] })
export class TimeModule {}

import { Global, Module } from '@nestjs/common';

import { SystemClock } from '../time/system-clock.js';
import { Log } from './log.js';

/** The log and the clock, which everything may ask for. */
@Global()
@Module({ providers: [Log, SystemClock], exports: [Log, SystemClock] })
export class LoggingModule {}

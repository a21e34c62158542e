import { Global, Module } from '@nestjs/common';

import { Metrics } from './metrics.js';
import { SystemClock } from '../time/system-clock.js';
import { Log } from './log.js';

/** The log, the clock and the meters, which everything may ask for. */
@Global()
@Module({ providers: [Log, Metrics, SystemClock], exports: [Log, Metrics, SystemClock] })
export class LoggingModule {}

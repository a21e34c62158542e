import { Global, Module } from '@nestjs/common';

import { Log } from './log.js';
import { Metrics } from './metrics.js';

/** The log and the metrics, which everything may ask for. */
@Global()
@Module({ providers: [Log, Metrics], exports: [Log, Metrics] })
export class ObservabilityModule {}

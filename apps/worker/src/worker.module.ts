import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { IdentityModule } from '@commerce/identity';
import { ConfigModule, JobsModule, LoggingModule, RecordsModule } from '@commerce/platform';

import { BillingWorkerModule } from './billing/billing.module.js';
import { CatalogWorkerModule } from './catalog/catalog.module.js';
import { EventsWorkerModule } from './events/events.module.js';
import { PaymentsWorkerModule } from './payments/payments.module.js';
import { SweepClock } from './sweep-clock.js';

/** The whole worker: the processors of all jobs, and the sweeps that find what no job tells of. */
@Module({
  imports: [
    ConfigModule,
    LoggingModule,
    RecordsModule,
    JobsModule.forRoot(),
    DiscoveryModule,
    IdentityModule,
    CatalogWorkerModule,
    EventsWorkerModule,
    PaymentsWorkerModule,
    BillingWorkerModule,
  ],
  providers: [SweepClock],
})
export class WorkerModule {}

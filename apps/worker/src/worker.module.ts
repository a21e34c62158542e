import { Module } from '@nestjs/common';
import { BillingModule } from '@commerce/billing';
import { CatalogModule } from '@commerce/catalog';
import { DoctorModule } from '@commerce/doctor';
import { DeliveryModule } from '@commerce/events';
import { IdentityModule } from '@commerce/identity';
import { InvoicesModule } from '@commerce/invoices';
import { OrdersModule } from '@commerce/orders';
import { PaymentsModule } from '@commerce/payments';
import { JobWorkersModule } from '@commerce/jobs';
import { ProcessModule } from '@commerce/process';

import { SweepClock } from './sweep-clock.js';
import { SweepLeaseStore } from './sweep-lease.store.js';

/** The whole worker. Its jobs and sweeps are methods in the domains, marked `@Handles` or `@Sweeps`. */
@Module({
  imports: [
    ProcessModule.forWorker(),
    JobWorkersModule,
    IdentityModule,
    CatalogModule,
    DeliveryModule,
    PaymentsModule,
    OrdersModule,
    BillingModule,
    InvoicesModule,
    DoctorModule,
  ],
  providers: [SweepClock, SweepLeaseStore],
})
export class WorkerModule {}

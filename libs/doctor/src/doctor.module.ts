import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BillingModule } from '@commerce/billing';
import { CatalogModule } from '@commerce/catalog';
import { DeliveryModule, EventsModule } from '@commerce/events';
import { InvoicesModule } from '@commerce/invoices';
import { OrdersModule } from '@commerce/orders';
import { PaymentsModule } from '@commerce/payments';
import { recordModels } from '@commerce/records';

import { CHECKS, checks } from './checks/checks.js';
import { CheckupSweep } from './checkups/checkup-sweep.js';
import { CheckupWalker } from './checkups/checkup-walker.js';
import { CheckupRecord } from './checkups/checkup.record.js';
import { CheckupStore } from './checkups/checkup.store.js';
import { Checkups } from './checkups/checkups.service.js';

/** Checkups as they are asked for and shown: for the API. */
@Module({
  imports: [recordModels(CheckupRecord)],
  providers: [Checkups, CheckupStore],
  exports: [Checkups, CheckupStore],
})
export class CheckupsModule {}

/** The checks, and the walks that run them: for the worker and for admin commands. */
@Module({
  imports: [
    BillingModule,
    CatalogModule,
    CheckupsModule,
    DeliveryModule,
    DiscoveryModule,
    EventsModule,
    InvoicesModule,
    OrdersModule,
    PaymentsModule,
  ],
  providers: [...checks, CheckupSweep, CheckupWalker],
  exports: [CHECKS],
})
export class DoctorModule {}

import { Module } from '@nestjs/common';
import { IdentityModule } from '@commerce/identity';
import { ProcessModule } from '@commerce/process';

import { BillingApiModule } from './billing/billing.module.js';
import { CatalogApiModule } from './catalog/catalog.module.js';
import { EventsApiModule } from './events/events.module.js';
import { HttpModule } from './http.module.js';
import { IdentityApiModule } from './identity/identity.module.js';
import { InvoicesApiModule } from './invoices/invoices.module.js';
import { OperationsApiModule } from './operations/operations.module.js';
import { OrdersApiModule } from './orders/orders.module.js';
import { PayApiModule } from './pay/pay.module.js';
import { PaymentsApiModule } from './payments/payments.module.js';
import { SearchApiModule } from './search/search.module.js';

/** The whole API: feature modules declare the routes, and the libs behind them everything else. */
@Module({
  imports: [
    ProcessModule.forServer(),
    IdentityModule,
    HttpModule,
    IdentityApiModule,
    EventsApiModule,
    CatalogApiModule,
    PaymentsApiModule,
    OrdersApiModule,
    PayApiModule,
    BillingApiModule,
    InvoicesApiModule,
    OperationsApiModule,
    SearchApiModule,
  ],
})
export class ApiModule {}

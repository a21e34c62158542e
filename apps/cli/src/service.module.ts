import { Module } from '@nestjs/common';
import { BillingModule } from '@commerce/billing';
import { CatalogModule } from '@commerce/catalog';
import { DoctorModule } from '@commerce/doctor';
import { DeliveryModule, EventsModule } from '@commerce/events';
import { IdentityModule } from '@commerce/identity';
import { InvoicesModule } from '@commerce/invoices';
import { OrdersModule } from '@commerce/orders';
import { PaymentsModule } from '@commerce/payments';
import { ProcessModule } from '@commerce/process';

/** The service without API and workers, through which the commands act. */
@Module({
  imports: [
    ProcessModule.forCommands(),
    IdentityModule,
    CatalogModule,
    PaymentsModule,
    OrdersModule,
    BillingModule,
    InvoicesModule,
    EventsModule,
    DeliveryModule,
    DoctorModule,
  ],
})
export class ServiceModule {}

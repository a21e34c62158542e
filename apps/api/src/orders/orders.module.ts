import { Module } from '@nestjs/common';
import { OrdersModule } from '@commerce/orders';
import { PaymentsModule } from '@commerce/payments';

import { OrdersController } from './orders.controller.js';

@Module({ imports: [OrdersModule, PaymentsModule], controllers: [OrdersController] })
export class OrdersApiModule {}

import { Module } from '@nestjs/common';
import { CatalogModule } from '@commerce/catalog';
import { PaymentsModule } from '@commerce/payments';
import { recordModels } from '@commerce/records';

import { OrderCouponUsage } from './orders/order-coupon-usage.js';
import { OrderPricer } from './orders/order-pricer.js';
import { OrderRecord } from './orders/order.record.js';
import { OrderStore } from './orders/order.store.js';
import { CouponPlacesSweep } from './paying/coupon-places-sweep.js';
import { CouponReserver } from './paying/coupon-reserver.js';
import { OrderCreator } from './paying/order-creator.js';
import { OrderPaymentOwner } from './paying/order-payment-owner.js';
import { OrderPayments } from './paying/order-payments.js';
import { OrderReader } from './paying/order-reader.js';
import { Orders } from './paying/orders.service.js';
import { UnauthenticatedOrdersSweep } from './paying/unauthenticated-orders-sweep.js';

const inner = [
  CouponReserver,
  OrderCouponUsage,
  OrderPaymentOwner,
  OrderPayments,
  OrderPricer,
  UnauthenticatedOrdersSweep,
];

const outer = [CouponPlacesSweep, OrderCreator, OrderReader, Orders, OrderStore];

/** One-off purchases of customers, and their payment. */
@Module({
  imports: [CatalogModule, PaymentsModule, recordModels(OrderRecord)],
  providers: [...inner, ...outer],
  exports: outer,
})
export class OrdersModule {}

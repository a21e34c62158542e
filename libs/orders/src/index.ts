export { CreateOrderBody, ListOrdersQuery, PayOrderBody, UpdateOrderBody } from './orders/order.dto.js';
export { OrderRecord } from './orders/order.record.js';
export { OrderStore } from './orders/order.store.js';
export { OrdersModule } from './orders.module.js';
export { CouponPlacesSweep } from './paying/coupon-places-sweep.js';
export { OrderCreator } from './paying/order-creator.js';
export type { OrderOutcome } from './paying/order-outcome.js';
export { OrderReader } from './paying/order-reader.js';
export { Orders } from './paying/orders.service.js';

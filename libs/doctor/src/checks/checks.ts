import type { Provider } from '@nestjs/common';

import type { Check } from './check.js';
import { BalancesCheck } from './balances.check.js';
import { CouponsCheck } from './coupons.check.js';
import { InvoicesCheck } from './invoices.check.js';
import { OrdersCheck } from './orders.check.js';
import { OutboxCheck } from './outbox.check.js';
import { PaymentsCheck } from './payments.check.js';
import { PlansCheck } from './plans.check.js';
import { ProductLinksCheck } from './product-links.check.js';
import { SubscriptionsCheck } from './subscriptions.check.js';
import { UsageCheck } from './usage.check.js';

/** Injects the checks, in their order. */
export const CHECKS = Symbol('checks');

/** Payments come last: the card provider is asked about each, which takes longer than all the rest. */
const ALL = [
  SubscriptionsCheck,
  OrdersCheck,
  CouponsCheck,
  BalancesCheck,
  InvoicesCheck,
  OutboxCheck,
  PlansCheck,
  ProductLinksCheck,
  UsageCheck,
  PaymentsCheck,
];

export const checks: Provider[] = [
  ...ALL,
  { provide: CHECKS, useFactory: (...all: Check[]) => all, inject: ALL },
];

import type { Provider } from '@nestjs/common';

import { CouponsCheck } from './coupons.check.js';
import type { Check } from './finding.js';
import { OutboxCheck } from './outbox.check.js';
import { PaymentsCheck } from './payments.check.js';
import { ProductLinksCheck } from './product-links.check.js';
import { SubscriptionsCheck } from './subscriptions.check.js';

/** Injects the checks of `doctor`, in this order. */
export const CHECKS = Symbol('checks');

const ALL = [PaymentsCheck, SubscriptionsCheck, CouponsCheck, OutboxCheck, ProductLinksCheck];

export const checks: Provider[] = [
  ...ALL,
  { provide: CHECKS, useFactory: (...all: Check[]) => all, inject: ALL },
];

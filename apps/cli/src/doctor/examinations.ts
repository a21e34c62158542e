import type { Provider } from '@nestjs/common';

import { CouponsExamination } from './coupons.examination.js';
import type { Examination } from './finding.js';
import { OutboxExamination } from './outbox.examination.js';
import { PaymentsExamination } from './payments.examination.js';
import { ProductLinksExamination } from './product-links.examination.js';
import { SubscriptionsExamination } from './subscriptions.examination.js';

/** All that `doctor` looks at, in this order. */
export const EXAMINATIONS = Symbol('examinations');

const ALL = [
  PaymentsExamination,
  SubscriptionsExamination,
  CouponsExamination,
  OutboxExamination,
  ProductLinksExamination,
];

export const examinations: Provider[] = [
  ...ALL,
  { provide: EXAMINATIONS, useFactory: (...all: Examination[]) => all, inject: ALL },
];

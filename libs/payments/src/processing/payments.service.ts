import { Injectable } from '@nestjs/common';
import { fault, fieldFault, toMinor } from '@commerce/kernel';
import {
  UnitsOfWork,
  retryOnConflict,
  newId,
  ownerOnly,
  readPage,
  type Caller,
  type Id,
  type Page,
  type RawQuery,
} from '@commerce/platform';

import { sameSecret, withClientSecret } from '../payments/client-secret.js';
import { PaymentProcessor } from './payment-processor.js';
import { idFilter } from '../payments/list-filters.js';
import { PaymentClock } from './payment-clock.js';
import type { ConfirmPaymentBody, RefundPaymentBody } from './payments.bodies.js';
import { refundableMinor } from '../payments/payment-refund.rules.js';
import { PAYMENT_STATUSES, type PaymentRecord } from '../payments/payment.record.js';
import { isCollected } from '../payments/payment.rules.js';
import { PaymentStore } from '../payments/payment.store.js';
import { PaymentWriter } from './payment-writer.js';
import { orUnavailable } from '../provider/or-unavailable.js';

/** What callers of the interface do with payments. */
@Injectable()
export class Payments {
  constructor(
    private readonly store: PaymentStore,
    private readonly payments: PaymentWriter,
    private readonly errands: PaymentProcessor,
    private readonly units: UnitsOfWork,
    private readonly clocks: PaymentClock,
  ) {}

  /** The customer who has to authenticate also gets the secret for it. */
  async get(caller: Caller, id: string): Promise<PaymentRecord> {
    const payment = await this.reach(caller, id);
    return ownerOnly(caller) === null ? payment : withClientSecret(payment);
  }

  async list(caller: Caller, raw: RawQuery): Promise<Page<PaymentRecord>> {
    const query = readPage(raw, { ...PAGE, others: ['user', 'subscription', 'order', 'status'] });
    const filter = {
      ...idFilter(caller, raw, ['user', 'subscription', 'order']),
      ...statusFilter(raw),
      ...query.filter,
    };
    return this.store.in(caller.company).page({ ...query, filter });
  }

  /** The payments of one subscription, which the caller was found to see. */
  async ofSubscription(company: Id, subscription: Id, raw: RawQuery): Promise<Page<PaymentRecord>> {
    const query = readPage(raw, PAGE);
    return this.store.in(company).page({ ...query, filter: { subscription, ...query.filter } });
  }

  /**
   * After the customer authenticated: the provider is asked how the intent stands. The same confirmation again gives
   * the same answer. Throws `payment.confirmation_invalid` unless intent and secret are this payment's.
   */
  async confirm(caller: Caller, id: string, body: ConfirmPaymentBody): Promise<PaymentRecord> {
    const payment = await this.reach(caller, id);
    requireOwnIntent(payment, body);
    if (isCollected(payment.status)) return payment;
    return orUnavailable(this.errands.reconcile(payment));
  }

  /** Gives back an amount, or all that is left. Sums never exceed what was captured: the version of the row sees to it. */
  async refund(caller: Caller, id: string, body: RefundPaymentBody): Promise<PaymentRecord> {
    const key = newId().toHexString();
    const reserved = await retryOnConflict(async () => {
      const payment = await this.reach(caller, id);
      const minor =
        body.amount === null || body.amount === undefined
          ? refundableMinor(payment)
          : minorOf(body.amount, payment.currency);
      const { business } = await this.clocks.of(payment);
      const work = this.units.begin(caller.company, business);
      const after = await this.payments.refund(work, payment, key, minor, body.reason ?? null);
      await work.commit();
      return after;
    });
    return this.payments.afterCommit(reserved);
  }

  private async reach(caller: Caller, id: string): Promise<PaymentRecord> {
    const payment = await this.store.in(caller.company).get(id);
    const only = ownerOnly(caller);
    if (only === null || payment.user.equals(only)) return payment;
    throw fault('payment.not_found', 'There is no payment with this id');
  }
}

const PAGE = {
  sortable: ['created', 'updated', 'amount'],
  sort: '-created',
  dates: { created: 'created', updated: 'updated' },
};

function statusFilter(raw: RawQuery): { status?: string } {
  const { status } = raw;
  if (status === undefined) return {};
  const wanted = PAYMENT_STATUSES.find((one) => typeof status === 'string' && one === status.toUpperCase());
  if (wanted !== undefined) return { status: wanted };
  throw fieldFault('status', `status must be one of ${PAYMENT_STATUSES.join(', ')}`);
}

/** Both halves are always compared, so that neither answer nor time tells which one was wrong. */
function requireOwnIntent(payment: PaymentRecord, body: ConfirmPaymentBody): void {
  const intent = sameSecret(body.payment_intent_id, payment.metadata.payment_intent_id);
  const secret = sameSecret(body.payment_client_secret, payment.client_secret);
  if (intent && secret) return;
  throw fault('payment.confirmation_invalid', 'The intent or its secret is not the one of this payment');
}

function minorOf(amount: number, currency: string): number {
  try {
    return toMinor(amount, currency);
  } catch {
    throw fieldFault('amount', `amount must be an amount of ${currency}`);
  }
}

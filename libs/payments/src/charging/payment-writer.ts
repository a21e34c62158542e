import { Injectable } from '@nestjs/common';
import { fault, shareOf } from '@commerce/kernel';
import { type UnitOfWork } from '@commerce/data';
import { makeRecord, type Id, type OwnedRecord } from '@commerce/records';

import { PaymentBalanceWriter } from '../balance/payment-balance-writer.js';
import type { UsableMethod } from '../methods/payment-methods.service.js';
import { BELOW_MINIMUM, TOO_LITTLE } from '../payments/charge-outcome.js';
import { withCheck } from '../payments/check-dates.js';
import { grossMinor } from '../payments/payment-credit.rules.js';
import { reserveOrOwe } from '../payments/owed-refund.rules.js';
import type { RefundDraft } from '../payments/payment-refund.rules.js';
import { PaymentRecord, type PaymentAttempt, type ProviderRequest } from '../payments/payment.record.js';
import {
  cancelIntent,
  currentAttempt,
  isRestored,
  isWaiting,
  superseded,
  usableIntent,
  withLast,
  type PaymentChanges,
} from '../payments/payment.rules.js';
import { PaymentClock } from '../settling/payment-clock.js';
import { ChargeGuard } from './charge-guard.js';
import { completed, newPayment, type PaymentDraft, type WorkedOut } from './payment-draft.js';
import { PaymentProcessor, type Charged } from './payment-processor.js';

/**
 * Opens and changes payments for their owners, billing and orders, which are not asked about these changes: the
 * returned payments may be final already. Each method but afterCommit adds to a unit of work, without effect until that
 * is committed.
 */
@Injectable()
export class PaymentWriter {
  constructor(
    private readonly books: PaymentBalanceWriter,
    private readonly guard: ChargeGuard,
    private readonly processor: PaymentProcessor,
    private readonly clocks: PaymentClock,
  ) {}

  /**
   * Runs work that opens a payment and charges it.
   * @throws NotSent, with nothing begun, where the provider's rate limit leaves no room for it soon
   */
  begin<T>(charged: Charged, work: () => Promise<T>): Promise<T> {
    return this.processor.begin(charged, work);
  }

  /**
   * Adds the payment and its first attempt: PROCESSING. The balance of the user pays what it can of a payment of a
   * subscription. A rest of 0 is SUCCEEDED immediately, one below the
   * provider's minimum FAILED, `amount.below_minimum`; without a usable payment method it is FAILED,
   * `payment_method.missing`, hard; by a card that contradicts its tax, `payment_method.country_differs`, hard.
   * @throws Fault `billing.held` while new charges are on hold; `payment.exists`, by the commit, where there is one for
   * the same period
   */
  async open(work: UnitOfWork, draft: PaymentDraft): Promise<PaymentRecord> {
    const { amount_minor, currency, payment_method } = draft;
    if (amount_minor < 0) throw new Error(`a payment of ${amount_minor} ${currency} cannot be collected`);
    const [usable, balance] =
      amount_minor === 0
        ? [null, 0]
        : await Promise.all([this.guard.usable(draft, payment_method), this.books.available(work, draft)]);
    const minimum_minor = this.guard.minimumCharge(currency);
    const share = shareOf(amount_minor, balance, { minimum_minor, canPay: usable !== null });
    const made = makeRecord(PaymentRecord, newPayment(draft, share, this.guard.provider), work.now);
    const payment = work.insert(this.books.store, made, 'payment.created');
    // A covered charge waits for the end of a hold, too.
    if (share.applied_minor > 0) await this.guard.requireOpen();
    await this.books.apply(work, payment, share.applied_minor);
    if (share.rest_minor === 0) return this.books.succeed(work, payment);
    if (share.rest_minor < minimum_minor) return this.refuse(work, payment);
    return this.openAttempt(work, payment, usable, draft);
  }

  /**
   * Adds another attempt to a payment that is FAILED or REQUIRES_AUTH: PROCESSING again.
   * @throws Fault `payment.state_conflict` for any other, and for an abandoned one
   */
  async attempt(
    work: UnitOfWork,
    payment: PaymentRecord,
    paymentMethod: Id | null,
    offSession: boolean,
  ): Promise<PaymentRecord> {
    requireWaiting(payment);
    const usable = await this.guard.usable(payment, paymentMethod);
    return this.openAttempt(work, payment, usable, {
      payment_method: paymentMethod,
      off_session: offSession,
    });
  }

  /**
   * Adds the owner's computation, the period and breakdown, to a payment that was written back from the provider's
   * books. A payment of another amount was charged on lost terms, and gets the period only.
   */
  complete(work: UnitOfWork, payment: PaymentRecord, worked: WorkedOut): PaymentRecord {
    if (!isRestored(payment) || payment.period_start !== null) return payment;
    const { period_start, period_end } = worked;
    const made = worked.amount_minor === grossMinor(payment) ? completed(payment, worked) : {};
    return work.update(this.books.store, payment, { period_start, period_end, ...made }, 'payment.updated');
  }

  /**
   * Abandons a FAILED or REQUIRES_AUTH payment for good; its intent is cancelled after the commit.
   * @throws Fault `payment.state_conflict` as `attempt`
   */
  abandon(work: UnitOfWork, payment: PaymentRecord, code: string, message: string): PaymentRecord {
    requireWaiting(payment);
    const attempts =
      payment.status === 'REQUIRES_AUTH'
        ? withLast(payment, { status: 'FAILED', code, message, decline: null })
        : payment.attempts;
    const changes = withCheck(payment, {
      status: 'FAILED',
      attempts,
      abandoned: true,
      ...cancelIntent(payment, this.clocks.leaseEnd()),
      checks: 0,
    } as const);
    return this.fail(work, payment, changes);
  }

  /** Cancels the intent of a FAILED payment after the commit; another attempt makes a new one. */
  endIntent(work: UnitOfWork, payment: PaymentRecord): PaymentRecord {
    const changes = cancelIntent(payment, this.clocks.leaseEnd());
    return work.update(this.books.store, payment, changes, 'payment.updated');
  }

  /**
   * Reserves a refund, capped at the rest of the payment. Where a dispute prevents it, it is owed and tried again
   * later.
   */
  async refund(work: UnitOfWork, payment: PaymentRecord, refund: RefundDraft): Promise<PaymentRecord> {
    const changes = reserveOrOwe(payment, refund, work.now, this.clocks.leaseEnd());
    return changes === null ? payment : this.books.update(work, payment, changes);
  }

  /** Returns the credit of a payment that has failed for good to the balance of its user. */
  async release(work: UnitOfWork, payment: PaymentRecord): Promise<PaymentRecord> {
    return payment.credit_applied === 0 ? payment : this.books.update(work, payment, { credit_applied: 0 });
  }

  /**
   * Sends the requests of the committed payment (attempt, refunds, cancellation) to the provider and settles the
   * answers. Safe to call any number of times and to die at any line: the reconciler does the same with the same keys.
   * @param payment as the commit has left it; it is not read again
   * @param owner the owner's record, where the same commit has written it: passed to `PaymentOwner.settled`
   */
  async afterCommit(payment: PaymentRecord, owner: OwnedRecord | null = null): Promise<PaymentRecord> {
    const { company, _id, check_at } = payment;
    // By now the reconciler may have leased the payment, and its committed state may be outdated.
    if (check_at !== null && check_at <= this.clocks.real())
      return this.processor.run(await this.books.store.in(company).get(_id), 'first');
    return this.processor.run(payment, 'first', owner);
  }

  /** Fails a payment too small to be charged for good, without asking the provider. */
  private refuse(work: UnitOfWork, payment: PaymentRecord): PaymentRecord {
    const attempt: PaymentAttempt = {
      number: 1,
      at: work.now,
      payment_method: payment.payment_method,
      ...REFUSED,
    };
    return this.fail(work, payment, { status: 'FAILED', attempts: [attempt], abandoned: true });
  }

  private fail(work: UnitOfWork, payment: PaymentRecord, changes: PaymentChanges): PaymentRecord {
    const failed = work.update(this.books.store, payment, changes, 'payment.updated');
    return this.books.reportFailure(work, payment, failed);
  }

  private async openAttempt(
    work: UnitOfWork,
    payment: PaymentRecord,
    usable: UsableMethod | null,
    { payment_method, off_session }: Pick<PaymentDraft, 'payment_method' | 'off_session'>,
  ): Promise<PaymentRecord> {
    await this.guard.requireOpen();
    const attempt = {
      number: currentAttempt(payment) + 1,
      at: work.now,
      payment_method,
      code: null,
      message: null,
      decline: null,
    };
    const before = payment.attempts.map((one) => (one.status === 'REQUIRES_AUTH' ? superseded(one) : one));
    const refused = await this.refusalOf(payment, usable, payment_method);
    if (usable === null || refused !== null) {
      const attempts: PaymentAttempt[] = [...before, { ...attempt, ...(refused ?? NO_METHOD) }];
      return this.fail(work, payment, withCheck(payment, { status: 'FAILED', attempts, payment_method }));
    }
    const changes: PaymentChanges = withCheck(payment, {
      status: 'PROCESSING',
      attempts: [...before, { ...attempt, status: 'PROCESSING' }],
      payment_method,
      metadata: { ...payment.metadata, payment_method_id: usable.method_id },
      request: this.requestOf(payment, attempt.number, usable, off_session),
      client_secret: null,
      // The attempt itself cancels the remaining intent before it charges.
      cancel_intent: null,
      cancel_check: null,
      checks: 0,
      charge_check_at: this.clocks.leaseEnd(),
    });
    return work.update(this.books.store, payment, changes, 'payment.processing');
  }

  /** Why a payment method is not charged; null where it is. */
  private async refusalOf(
    payment: PaymentRecord,
    usable: UsableMethod | null,
    id: Id | null,
  ): Promise<typeof NO_METHOD | typeof CONTRADICTED | null> {
    if (usable === null || id === null) return NO_METHOD;
    return (await this.guard.isContradicted(payment, id)) ? CONTRADICTED : null;
  }

  private requestOf(
    payment: PaymentRecord,
    number: number,
    { customer_id, method_id }: UsableMethod,
    off_session: boolean,
  ): ProviderRequest {
    const intent = usableIntent(payment);
    // An intent belongs to the customer for whom it was made.
    const isOthers = payment.request !== null && payment.request.customer_id !== customer_id;
    const isLeft = isOthers || payment.status === 'REQUIRES_AUTH' || payment.cancel_intent !== null;
    const replaces = isLeft ? intent : null;
    return {
      number,
      answered: false,
      opened_at: this.clocks.real(),
      intent_id: replaces === null ? intent : null,
      replaces,
      customer_id,
      method_id,
      off_session,
    };
  }
}

const REFUSED = {
  status: 'FAILED',
  code: BELOW_MINIMUM,
  message: TOO_LITTLE,
  decline: 'hard',
} as const;

const NO_METHOD = {
  status: 'FAILED',
  code: 'payment_method.missing',
  message: 'There is no usable payment method',
  decline: 'hard',
} as const;

const CONTRADICTED = {
  status: 'FAILED',
  code: 'payment_method.country_differs',
  message:
    'The price has the VAT of the address, and the country of the card, which has a higher one, is another: pay by a card of the country of the address',
  decline: 'hard',
} as const;

function requireWaiting(payment: PaymentRecord): void {
  if (isWaiting(payment)) return;
  throw fault('payment.state_conflict', `The payment is ${payment.status} and no longer waits`, {
    status: payment.status,
  });
}

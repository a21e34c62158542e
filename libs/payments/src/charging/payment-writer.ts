import { Injectable } from '@nestjs/common';
import { fault, toMajor } from '@commerce/kernel';
import { type UnitOfWork } from '@commerce/data';
import { makeRecord, type Id, type OwnedRecord } from '@commerce/records';

import { PaymentMethods, type UsableMethod } from '../methods/payment-methods.service.js';
import { BillingHoldStore } from '../payments/billing-hold.store.js';
import { BELOW_MINIMUM, TOO_LITTLE } from '../payments/charge-outcome.js';
import { withCheck } from '../payments/check-dates.js';
import { reserveOrOwe, type RefundDraft } from '../payments/payment-refund.rules.js';
import {
  PaymentRecord,
  type PaymentAttempt,
  type PaymentKind,
  type ProviderRequest,
} from '../payments/payment.record.js';
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
import { PaymentStore } from '../payments/payment.store.js';
import { PaymentClock } from '../settling/payment-clock.js';
import { PaymentProcessor, type Charged } from './payment-processor.js';

/** A payment to open, for one amount owed. */
export interface PaymentDraft {
  /** The id of the payment, where its owner chooses it; a new one otherwise. */
  readonly _id?: Id;
  readonly company: Id;
  readonly user: Id;
  readonly subscription: Id | null;
  readonly order: Id | null;
  readonly kind: PaymentKind;
  /** Unique with company, subscription, order and kind. */
  readonly slice: string;
  readonly amount_minor: number;
  /** The part of the amount that earlier payments failed to collect; 0 by default. */
  readonly debt_minor?: number;
  readonly currency: string;
  readonly period_start: Date | null;
  readonly period_end: Date | null;
  readonly payment_method: Id | null;
  readonly breakdown: object;
  /** False while the customer is present to authenticate. */
  readonly off_session: boolean;
  readonly test_clock: Id | null;
}

/** The owner's computation for a payment, without the payer. */
type WorkedOut = Pick<
  PaymentDraft,
  'amount_minor' | 'debt_minor' | 'period_start' | 'period_end' | 'breakdown'
>;

/**
 * Opens and changes payments for their owners, billing and orders, which are not asked about these changes: the
 * returned payments may be final already. Each method but afterCommit adds to a unit of work, without effect until that
 * is committed.
 */
@Injectable()
export class PaymentWriter {
  constructor(
    private readonly store: PaymentStore,
    private readonly methods: PaymentMethods,
    private readonly processor: PaymentProcessor,
    private readonly clocks: PaymentClock,
    private readonly holds: BillingHoldStore,
  ) {}

  /**
   * Runs work that opens a payment and charges it.
   * @throws NotSent, with nothing begun, where the provider's rate limit leaves no room for it soon
   */
  begin<T>(charged: Charged, work: () => Promise<T>): Promise<T> {
    return this.processor.begin(charged, work);
  }

  /**
   * Adds the payment and its first attempt: PROCESSING. An amount of 0 is SUCCEEDED immediately, one below the
   * provider's minimum FAILED, `amount.below_minimum`; without a usable payment method it is FAILED,
   * `payment_method.missing`, hard.
   * @throws Fault `billing.held` while new charges are on hold; `payment.exists`, by the commit, where there is one for
   * the same period
   */
  async open(work: UnitOfWork, draft: PaymentDraft): Promise<PaymentRecord> {
    const { amount_minor, debt_minor = 0, off_session, payment_method, ...values } = draft;
    if (amount_minor < 0)
      throw new Error(`a payment of ${amount_minor} ${draft.currency} cannot be collected`);
    const made = makeRecord(
      PaymentRecord,
      {
        ...values,
        payment_method,
        status: 'CREATED',
        amount: toMajor(amount_minor, draft.currency),
        debt_amount: toMajor(debt_minor, draft.currency),
        metadata: { payment_intent_id: null, payment_method_id: null },
        provider: { name: this.methods.provider, intent_id: null, charge_id: null },
      },
      work.now,
    );
    const payment = work.insert(this.store, made, 'payment.created');
    if (amount_minor === 0)
      return work.update(this.store, payment, { status: 'SUCCEEDED' }, 'payment.succeeded');
    if (amount_minor < this.methods.minimumCharge(draft.currency)) return this.refuse(work, payment);
    return this.openAttempt(work, payment, payment_method, off_session);
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
    return this.openAttempt(work, payment, paymentMethod, offSession);
  }

  /**
   * Adds the owner's computation, the period and breakdown, to a payment that was written back from the provider's
   * books. A payment of another amount was charged on lost terms, and gets the period only.
   */
  complete(work: UnitOfWork, payment: PaymentRecord, worked: WorkedOut): PaymentRecord {
    const { amount_minor, debt_minor = 0, period_start, period_end, breakdown } = worked;
    const isSame = toMajor(amount_minor, payment.currency) === payment.amount;
    if (!isRestored(payment) || payment.period_start !== null) return payment;
    const debt_amount = toMajor(debt_minor, payment.currency);
    const made = isSame ? { debt_amount, breakdown: { ...payment.breakdown, ...breakdown } } : {};
    return work.update(this.store, payment, { period_start, period_end, ...made }, 'payment.updated');
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
    return work.update(this.store, payment, changes, 'payment.updated');
  }

  /** Cancels the intent of a FAILED payment after the commit; another attempt makes a new one. */
  endIntent(work: UnitOfWork, payment: PaymentRecord): PaymentRecord {
    const changes = cancelIntent(payment, this.clocks.leaseEnd());
    return work.update(this.store, payment, changes, 'payment.updated');
  }

  /**
   * Reserves a refund, capped at the rest of the payment. Where a dispute prevents it, it is owed and tried again
   * later.
   */
  refund(work: UnitOfWork, payment: PaymentRecord, refund: RefundDraft): PaymentRecord {
    const changes = reserveOrOwe(payment, refund, work.now, this.clocks.leaseEnd());
    return changes === null ? payment : work.update(this.store, payment, changes, 'payment.updated');
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
      return this.processor.run(await this.store.in(company).get(_id), 'first');
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
    const changes = { status: 'FAILED' as const, attempts: [attempt], abandoned: true };
    return work.update(this.store, payment, changes, 'payment.updated');
  }

  private async openAttempt(
    work: UnitOfWork,
    payment: PaymentRecord,
    paymentMethod: Id | null,
    offSession: boolean,
  ): Promise<PaymentRecord> {
    if ((await this.holds.since()) !== null) {
      throw fault('billing.held', 'New charges are on hold for a while; try again later', {
        retry_after_ms: HELD_RETRY_MS,
      });
    }
    const usable = await this.methods.usable(payment.company, payment.user, paymentMethod);
    const attempt = {
      number: currentAttempt(payment) + 1,
      at: work.now,
      payment_method: paymentMethod,
      code: null,
      message: null,
      decline: null,
    };
    const before = payment.attempts.map((one) => (one.status === 'REQUIRES_AUTH' ? superseded(one) : one));
    if (usable === null) {
      const attempts: PaymentAttempt[] = [...before, { ...attempt, ...NO_METHOD }];
      const failed = { status: 'FAILED', attempts, payment_method: paymentMethod } as const;
      const changes = withCheck(payment, failed);
      return work.update(this.store, payment, changes, 'payment.updated');
    }
    const changes: PaymentChanges = withCheck(payment, {
      status: 'PROCESSING',
      attempts: [...before, { ...attempt, status: 'PROCESSING' }],
      payment_method: paymentMethod,
      metadata: { ...payment.metadata, payment_method_id: usable.method_id },
      request: this.requestOf(payment, attempt.number, usable, offSession),
      client_secret: null,
      // The attempt itself cancels the remaining intent before it charges.
      cancel_intent: null,
      cancel_check: null,
      checks: 0,
      charge_check_at: this.clocks.leaseEnd(),
    });
    return work.update(this.store, payment, changes, 'payment.processing');
  }

  private requestOf(
    payment: PaymentRecord,
    number: number,
    { customer_id, method_id }: UsableMethod,
    off_session: boolean,
  ): ProviderRequest {
    const intent = usableIntent(payment);
    const isLeft = payment.status === 'REQUIRES_AUTH' || payment.cancel_intent !== null;
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

/** Delay before the next check while charges are on hold, which may last. */
const HELD_RETRY_MS = 60_000;

const NO_METHOD = {
  status: 'FAILED',
  code: 'payment_method.missing',
  message: 'There is no usable payment method',
  decline: 'hard',
} as const;

function requireWaiting(payment: PaymentRecord): void {
  if (isWaiting(payment)) return;
  throw fault('payment.state_conflict', `The payment is ${payment.status} and no longer waits`, {
    status: payment.status,
  });
}

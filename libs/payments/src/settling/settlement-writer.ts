import { Injectable } from '@nestjs/common';
import type { Instants } from '@commerce/identity';
import { UnitsOfWork, retryOnConflict, type UnitOfWork } from '@commerce/data';
import { type OwnedRecord } from '@commerce/records';

import { PaymentBalanceWriter } from '../balance/payment-balance-writer.js';
import { PayLinks } from '../showing/pay-links.js';
import { reserveOrOwe } from '../payments/owed-refund.rules.js';
import type { RefundDraft } from '../payments/payment-refund.rules.js';
import type { PaymentRecord } from '../payments/payment.record.js';
import { cancelIntent, eventOf, isAwaited, type PaymentChanges } from '../payments/payment.rules.js';
import { PaymentClock } from './payment-clock.js';
import type { FollowUp, OwnerDecision } from './payment-owner.js';
import { PaymentOwners } from './payment-owners.js';

/** Decides on the change of a payment in its current state; null leaves it unchanged. */
export type DecideSettlement = (payment: PaymentRecord, now: Instants) => PaymentChanges | null;

interface Written {
  readonly payment: PaymentRecord;
  readonly followUp: FollowUp | null;
}

/** Commits a settled change of a payment together with all its consequences. */
@Injectable()
export class SettlementWriter {
  constructor(
    private readonly books: PaymentBalanceWriter,
    private readonly units: UnitsOfWork,
    private readonly owners: PaymentOwners,
    private readonly clocks: PaymentClock,
    private readonly links: PayLinks,
  ) {}

  /**
   * Decides on and writes the payment, its owner's records, and the owner's refunds; returns the payment afterwards. It
   * starts from the given payment, and reads it again only where that is outdated.
   * @param owner the owner's record, where the commit that wrote the payment has written that too
   */
  async change(
    given: PaymentRecord,
    decide: DecideSettlement,
    owner: OwnedRecord | null = null,
  ): Promise<PaymentRecord> {
    let isFirst = true;
    const { payment, followUp } = await retryOnConflict(async () => {
      const goesByGiven = isFirst;
      isFirst = false;
      const written = goesByGiven ? await this.write(given, decide, owner) : null;
      return written ?? this.changeAsRead(given, decide);
    });
    if (followUp !== null) await this.owners.goOn(followUp);
    return payment;
  }

  /** Decides again on the payment as read now, because nothing guards a decision to write nothing. */
  private async changeAsRead({ company, _id }: PaymentRecord, decide: DecideSettlement): Promise<Written> {
    const payment = await this.books.store.in(company).get(_id);
    return (await this.write(payment, decide, null)) ?? { payment, followUp: null };
  }

  private async write(
    before: PaymentRecord,
    decide: DecideSettlement,
    known: OwnedRecord | null,
  ): Promise<Written | null> {
    const now = await this.clocks.instantsOf(before);
    const changes = decide(before, now);
    if (changes === null) return null;
    const work = this.units.begin(before.company, now.business);
    const shown = await this.links.shownInEvent(before, changes);
    const changed = work.update(this.books.store, before, changes, eventOf(before, changes), shown);
    const after = this.books.reportFailure(work, before, changed);
    const decision = await this.decisionOn(before, after, now, known);
    const payment = decision === null ? after : await this.follow(work, after, decision);
    await this.books.follow(work, before, payment);
    await this.units.commit(work);
    return { payment, followUp: decision?.followUp ?? null };
  }

  private async decisionOn(
    before: PaymentRecord,
    after: PaymentRecord,
    now: Instants,
    known: OwnedRecord | null,
  ): Promise<OwnerDecision | null> {
    // A refund that ends during a dispute changes no status, nor does the provider's answer that it accepts a payment.
    const isAccepted = isAwaited(after) && !isAwaited(before);
    if (after.status !== before.status || after.refunded_amount !== before.refunded_amount || isAccepted)
      return this.owners.decide(before, after, now, known);
    const isCancelled = after.cancelled_intent !== before.cancelled_intent;
    return isCancelled ? this.owners.decideCancelled(after) : null;
  }

  private async follow(
    work: UnitOfWork,
    payment: PaymentRecord,
    decision: OwnerDecision,
  ): Promise<PaymentRecord> {
    for (const { store, before, changes, event, show } of decision.changes) {
      work.update(store, before, changes, event, show);
    }
    await decision.also?.(work);
    const left = decision.failedForGood === true ? this.withoutCredit(work, payment) : payment;
    const ended = decision.endsIntent === true ? this.endIntent(work, left) : left;
    return decision.refunds.reduce((held, refund) => this.reserve(work, held, refund), ended);
  }

  private withoutCredit(work: UnitOfWork, payment: PaymentRecord): PaymentRecord {
    if (payment.credit_applied === 0) return payment;
    return work.update(this.books.store, payment, { credit_applied: 0 }, 'payment.updated');
  }

  private endIntent(work: UnitOfWork, payment: PaymentRecord): PaymentRecord {
    const changes = cancelIntent(payment, this.clocks.leaseEnd());
    return work.update(this.books.store, payment, changes, 'payment.updated');
  }

  private reserve(work: UnitOfWork, payment: PaymentRecord, refund: RefundDraft): PaymentRecord {
    const changes = reserveOrOwe(payment, refund, work.now, this.clocks.leaseEnd());
    return changes === null ? payment : work.update(this.books.store, payment, changes, 'payment.updated');
  }
}

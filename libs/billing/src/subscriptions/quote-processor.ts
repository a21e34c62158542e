import { Injectable } from '@nestjs/common';
import { fault, isFault } from '@commerce/kernel';
import { UnitsOfWork, retryOnConflict, type CompanyRecords } from '@commerce/data';
import { PaymentStore, type PaymentRecord } from '@commerce/payments';
import type { Id } from '@commerce/records';

import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { QuoteWriter, type Quoted, type SubscriptionOutcome, type WrittenQuote } from './quote-writer.js';
import { SubscriptionWriter } from './subscription-writer.js';

/** Decides on a change or start of a subscription; `now` is the time of its customer. */
export type DecideQuote = (before: SubscriptionRecord, now: Date) => Promise<Quoted>;

/** Commits changes and starts that may have to be paid before they take effect, and asks the card provider. */
@Injectable()
export class QuoteProcessor {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly units: UnitsOfWork,
    private readonly quotes: QuoteWriter,
    private readonly payments: PaymentStore,
    private readonly writer: SubscriptionWriter,
  ) {}

  /** Commits a change or start. Of concurrent callers the first commit wins; the others read and decide again. */
  async change(
    records: CompanyRecords<SubscriptionRecord>,
    id: Id | string,
    decide: DecideQuote,
  ): Promise<SubscriptionOutcome> {
    return this.collected(await retryOnConflict(() => this.changeOnce(records, id, decide)));
  }

  /**
   * Commits a new subscription that starts at once or once it is paid.
   * @throws Fault `record.conflict` where its human_id is in use, or another request took over a debt
   */
  async create(record: SubscriptionRecord, quoted: Quoted): Promise<SubscriptionOutcome> {
    const work = this.units.begin(record.company, quoted.instants.business);
    const made = work.insert(this.store, record, 'subscription.created');
    this.store.countRedeemed(work, made);
    const written = await this.quotes.write(work, made, quoted);
    await (work.isCreation ? this.units.commit(work) : work.commit());
    return this.collected(written);
  }

  /**
   * The answer to a change or start whose process died after its commit; sends the unsent part of its payment now.
   * `beside`: the records that this commit wrote beside the subscription.
   */
  async resume(
    records: CompanyRecords<SubscriptionRecord>,
    id: string,
    beside: readonly Id[],
  ): Promise<SubscriptionOutcome> {
    const subscription = await records.get(id);
    const payments = await this.payments.in(subscription.company).byIds(beside);
    const [payment = null] = payments.values();
    return payment === null
      ? { kind: 'subscription', subscription }
      : this.quotes.collect(subscription, payment);
  }

  private async changeOnce(
    records: CompanyRecords<SubscriptionRecord>,
    id: Id | string,
    decide: DecideQuote,
  ): Promise<WrittenQuote> {
    const before = await records.get(id);
    const now = await this.writer.timeOf(before);
    const work = this.units.begin(before.company, now);
    const written = await this.quotes.write(work, before, await decide(before, now));
    try {
      await work.commit();
    } catch (error) {
      if (!isFault(error, 'payment.exists')) throw error;
      throw takenBy(before, await records.get(id));
    }
    return written;
  }

  /** The outcome for the customer. A quote that this one has ended is given up soon. */
  private async collected({ after, payment }: WrittenQuote): Promise<SubscriptionOutcome> {
    const outcome = await this.outcomeOf(after, payment);
    await this.writer.queued(after);
    return outcome;
  }

  private async outcomeOf(
    subscription: SubscriptionRecord,
    payment: PaymentRecord | null,
  ): Promise<SubscriptionOutcome> {
    return payment === null
      ? { kind: 'subscription', subscription }
      : this.quotes.collect(subscription, payment);
  }
}

/** The fault of a quote whose payment exists: another request opened it since, or it is not yet on the subscription. */
function takenBy(before: SubscriptionRecord, { sys, status }: SubscriptionRecord): Error {
  const message = 'Another payment of the subscription is being collected; try again';
  return sys.version === before.sys.version
    ? fault('subscription.state_conflict', message, { current: status, allowed: [] })
    : fault('record.conflict', 'The subscription was changed by another request; try again');
}

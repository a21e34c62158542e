import { Injectable } from '@nestjs/common';
import { backoffMs, sumToMinor, toMajor, type Backoff } from '@commerce/kernel';
import { MAX_READ_MS, RecordStore, dueBy, dueWorkOf, type DueWork } from '@commerce/data';
import { InjectRecord, type Id, type RecordModel } from '@commerce/records';

import type { CollectionState, SubscriptionStatus } from '../domain/lifecycle/subscription-state.js';
import { IN_DUNNING } from './dunning.js';
import { IS_HELD, type HeldReason } from './held.js';
import { SubscriptionRecord } from './subscription.record.js';

/** A subscription and its company. */
export interface SubscriptionKey {
  readonly _id: Id;
  readonly company: Id;
}

/** What is owed in one currency by subscriptions in one state of collection. */
interface Dunning {
  readonly currency: string;
  readonly collection_state: CollectionState;
  readonly subscriptions: number;
  readonly outstanding_amount: number;
}

type DunningRow = { readonly _id: Pick<Dunning, 'currency' | 'collection_state'> } & Pick<
  Dunning,
  'subscriptions' | 'outstanding_amount'
>;

/** How long a subscription rests after its billing failed. */
const RESTS: Backoff = { firstMs: 1000, longestMs: 3_600_000 };

const LIVE: readonly SubscriptionStatus[] = ['FUTURE', 'ACTIVE', 'PAUSED', 'NON_RENEWING'];

/** A stop leaves it active up to its date. */
const RUNNING = [{ active: true }, { status: { $in: ['FUTURE', 'PAUSED'] as SubscriptionStatus[] } }];

/** After this many failures a test clock no longer waits for a subscription. */
const MAX_FAILURES = 3;

@Injectable()
export class SubscriptionStore extends RecordStore<SubscriptionRecord> {
  constructor(@InjectRecord(SubscriptionRecord) model: RecordModel) {
    super(model, SubscriptionRecord);
  }

  /** What a sweep must look at, across all companies, the longest due first. `now` is real time. */
  async toWake(now: Date, limit: number): Promise<(SubscriptionKey & { readonly wake_at: Date })[]> {
    return this.model
      .find({ wake_at: dueBy(now) }, { company: 1, wake_at: 1 })
      .sort({ wake_at: 1 })
      .limit(limit)
      .lean<(SubscriptionKey & { readonly wake_at: Date })[]>();
  }

  /** The companies of which anything must be looked at. */
  async companiesToWake(now: Date): Promise<Id[]> {
    const found = await this.model.collection
      .aggregate<{ _id: Id }>([{ $match: { wake_at: dueBy(now) } }, { $group: { _id: '$company' } }])
      .toArray();
    return found.map(({ _id }) => _id);
  }

  /** What a sweep must look at of one company, the longest due first. */
  async toWakeOf(company: Id, now: Date, limit: number): Promise<SubscriptionKey[]> {
    return this.model
      .find({ company, wake_at: dueBy(now) }, { company: 1 })
      .sort({ wake_at: 1 })
      .limit(limit)
      .lean<SubscriptionKey[]>();
  }

  /** Subscriptions of a company that a sweep must look at. `now` is real time. */
  async dueOf(company: Id, now: Date): Promise<DueWork> {
    return dueWorkOf(this.model, company, 'wake_at', now);
  }

  /** What is owed to a company by subscriptions in real time, by currency and what is done about it. */
  async owed(company: Id): Promise<Dunning[]> {
    const by = { currency: '$currency', collection_state: '$collection_state' };
    const sums = { subscriptions: { $sum: 1 }, outstanding_amount: { $sum: '$outstanding_amount' } };
    const match = {
      company,
      collection_state: IN_DUNNING,
      status: { $in: LIVE },
      test_clock: null,
      deleted: false,
    };
    const found = await this.model.collection
      .aggregate<DunningRow>([{ $match: match }, { $group: { _id: by, ...sums } }], {
        maxTimeMS: MAX_READ_MS,
      })
      .toArray();
    return found.map(({ _id: { currency, collection_state }, subscriptions, outstanding_amount }) => ({
      currency,
      collection_state,
      subscriptions,
      outstanding_amount: toMajor(sumToMinor(outstanding_amount, currency), currency),
    }));
  }

  /** How many a sweep must look at, across all companies. `now` is real time. */
  async dueCount(now: Date): Promise<number> {
    return this.model.countDocuments({ wake_at: dueBy(now) });
  }

  /**
   * What is due on a test clock by `until`, in the order in which it must happen; payments in flight, which have no
   * date, come first. One query for both: a subscription that changes from one to the other could slip through two.
   */
  async pendingOnClock(company: Id, clock: Id, until: Date, limit: number): Promise<SubscriptionRecord[]> {
    const due = { due: { $lte: until }, failures: { $lt: MAX_FAILURES }, held: null };
    const inFlight = { due: null, 'open_payment.state': 'IN_FLIGHT' };
    return this.in(company).many(
      { test_clock: clock, $or: [due, inFlight] },
      { sort: { due: 1, _id: 1 }, limit },
    );
  }

  /** The held subscriptions of a company. */
  async heldIn(company: Id): Promise<Id[]> {
    const found = await this.model.find({ company, ...IS_HELD }, { _id: 1 }).lean<SubscriptionKey[]>();
    return found.map(({ _id }) => _id);
  }

  /** How many subscriptions of all companies are held for each reason, and how many fail at the moment. */
  async troubled(): Promise<{ held: Record<HeldReason, number>; failing: number }> {
    const count = (reason: HeldReason): Promise<number> =>
      this.model.countDocuments({ ...IS_HELD, 'held.reason': reason });
    const failing = this.model.countDocuments({ failures: { $gt: 0 } });
    return {
      held: { catch_up: await count('catch_up'), error: await count('error') },
      failing: await failing,
    };
  }

  /** The live subscriptions of a company that are charged to this payment method. */
  async livingOn(company: Id, paymentMethod: Id): Promise<Id[]> {
    const found = await this.model
      .find({ company, payment_method: paymentMethod, status: { $in: LIVE }, deleted: false }, { _id: 1 })
      .lean<{ _id: Id }[]>();
    return found.map(({ _id }) => _id);
  }

  /** The newest subscriptions of a user that grant service or will, and how many there are. */
  async runningOf(company: Id, user: Id, limit: number): Promise<{ ids: readonly Id[]; total: number }> {
    const filter = { company, user, deleted: false, $or: RUNNING };
    const found = await this.model
      .find(filter, { _id: 1 })
      .sort({ created: -1, _id: -1 })
      .limit(limit)
      .lean<{ _id: Id }[]>();
    const total = found.length < limit ? found.length : await this.model.countDocuments(filter);
    return { ids: found.map(({ _id }) => _id), total };
  }

  /** Of a user, those that run or may be started. */
  async toStopOf(company: Id, user: Id, limit: number): Promise<SubscriptionRecord[]> {
    const filter = { user, deleted: false, $or: [...RUNNING, { status: 'CREATED' }] };
    return this.in(company).many(filter, { sort: { created: -1, _id: -1 }, limit });
  }

  /** All that live on a test clock or, with null, in real time; in an order that nothing changes meanwhile. */
  live(company: Id, testClock: Id | null): AsyncIterable<SubscriptionRecord> {
    const filter = { status: { $in: LIVE }, test_clock: testClock, deleted: false };
    return this.in(company).stream(filter, { created: -1, _id: -1 });
  }

  /** Notes that billing failed and backs off: longer with every failure, up to an hour. */
  async noteFailure(subscription: SubscriptionRecord, now: Date): Promise<void> {
    const rest = backoffMs(subscription.failures, RESTS);
    await this.model.collection.updateOne(this.asRead(subscription), {
      $inc: { failures: 1 },
      $set: { wake_at: new Date(now.getTime() + rest) },
    });
  }

  /** Changes nothing but the date at which a sweep looks at it. */
  async wake(subscription: SubscriptionRecord, at: Date | null): Promise<void> {
    await this.model.collection.updateOne(this.asRead(subscription), { $set: { wake_at: at } });
  }

  /** A writer that has changed it since has decided anew when to look at it. */
  private asRead({ _id, company, sys }: SubscriptionRecord): object {
    return this.engine.withId(_id, { company, 'sys.version': sys.version });
  }
}

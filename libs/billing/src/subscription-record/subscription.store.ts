import { Injectable } from '@nestjs/common';
import { backoffMs, sumToMinor, toMajor, type Backoff } from '@commerce/kernel';
import { CouponStore, CouponUserLimiter, UNTIL_RELEASED } from '@commerce/catalog';
import {
  ANY_ID,
  MAX_READ_MS,
  RecordStore,
  UniqueNames,
  dueBy,
  dueWorkOf,
  type DueWork,
  type Total,
  type UnitOfWork,
} from '@commerce/data';
import type { CouponRedemption } from './coupon-redemption.js';
import { InjectRecord, parseId, type Id, type RecordModel } from '@commerce/records';

import type { SubscriptionStatus } from '../domain/lifecycle/subscription-state.js';
import { IN_DUNNING, type Dunning, type DunningRow } from './dunning.js';
import { IS_HELD, type HeldReason } from './held.js';
import { RENEWAL_FIELDS, type RenewalRecord } from './renewing.adapter.js';
import { stateFields, type StoredSubscription } from './subscription-state.adapter.js';
import { SubscriptionRecord } from './subscription.record.js';
import { releaseTrial, takeTrial, type Trial } from './trial-keys.js';

/** A subscription and its company. */
export interface SubscriptionKey {
  readonly _id: Id;
  readonly company: Id;
}

/** The part of a subscription from which its future charges are computed. */
export type LiveSubscription = StoredSubscription &
  Pick<SubscriptionRecord, 'company' | 'user' | 'payment_method' | 'test_clock' | 'held'>;

/** Whose balance a subscription takes from. */
type BalanceOwner = Pick<SubscriptionRecord, 'company' | 'user' | 'currency' | 'test_clock'>;

/** Backoff of a subscription whose billing failed. */
const RESTS: Backoff = { firstMs: 1000, longestMs: 3_600_000 };

export const LIVE: readonly SubscriptionStatus[] = ['FUTURE', 'ACTIVE', 'PAUSED', 'NON_RENEWING'];

/** A stopped subscription stays active up to the date of its stop. */
const RUNNING = [
  { active: true },
  { awaits_first_payment: true },
  { status: { $in: ['FUTURE', 'PAUSED'] as SubscriptionStatus[] } },
];

/** Number of failures after which a test clock no longer waits for a subscription. */
const MAX_FAILURES = 3;

@Injectable()
export class SubscriptionStore extends RecordStore<SubscriptionRecord> {
  constructor(
    @InjectRecord(SubscriptionRecord) model: RecordModel,
    private readonly coupons: CouponStore,
    private readonly names: UniqueNames,
    private readonly limits: CouponUserLimiter,
  ) {
    super(model, SubscriptionRecord);
  }

  private readonly liveFields = [
    ...stateFields(),
    ...(['company', 'user', 'payment_method', 'test_clock', 'held'] as const),
  ];

  /**
   * Adds the redemptions of coupons that follow from a change to its commit. `real`: reservations live in real time.
   * The commit fails with `coupon.used_up`, and with `coupon.already_redeemed` where none is left for the customer.
   */
  redeem(
    work: UnitOfWork,
    { _id: subscription, user }: SubscriptionRecord,
    redemption: CouponRedemption,
    real: Date,
  ): void {
    const holder = { subscription };
    for (const coupon of redemption.release) this.coupons.release(work, { coupon, holder });
    for (const coupon of redemption.reserve) {
      this.coupons.reserve(work, { coupon, holder }, real, UNTIL_RELEASED);
      this.limits.add(work, { kind: 'subscription', user, coupon, holder: subscription });
    }
    for (const coupon of redemption.count) this.coupons.count(work, { coupon, holder }, real);
  }

  /**
   * Reserves the coupon of a start that was lost with a restored database, so that nobody else takes the redemption
   * until the subscription is started again. The commit fails as that of `redeem`.
   */
  reserveAgain(work: UnitOfWork, before: SubscriptionRecord, coupon: Id, real: Date): void {
    const { redeemed_coupons, reserved_coupons } = before;
    const changes = { reserved_coupons: [...reserved_coupons, coupon], redeemed_coupons };
    work.update<SubscriptionRecord>(this, before, changes);
    this.coupons.reserve(work, { coupon, holder: { subscription: before._id } }, real, UNTIL_RELEASED);
  }

  /** As `reserveAgain`, where others have taken the last redemption since: it is counted above max_redemptions. */
  redeemAgain(work: UnitOfWork, before: SubscriptionRecord, coupon: Id): void {
    const { redeemed_coupons } = before;
    work.update<SubscriptionRecord>(this, before, { redeemed_coupons: [...redeemed_coupons, coupon] });
    this.coupons.countAbove(work, { coupon, holder: { subscription: before._id } });
  }

  /** Counts the coupons that a new subscription has redeemed elsewhere, whatever their limits. */
  countRedeemed(work: UnitOfWork, { _id: subscription, redeemed_coupons }: SubscriptionRecord): void {
    for (const coupon of redeemed_coupons)
      this.coupons.countAbove(work, { coupon, holder: { subscription } });
  }

  /** Whether a subscription of the user, deleted ones included, began with the trial of a plan; null: of any plan. */
  async hadTrial(company: Id, { user, plan }: Trial): Promise<boolean> {
    const trial_plan = plan === null ? ANY_ID : parseId(plan);
    return (await this.model.findOne({ company, user, trial_plan }, { _id: 1 }).lean()) !== null;
  }

  /** Adds a trial that begins to its commit, or frees that of a subscription whose start was cancelled. */
  trial(
    work: UnitOfWork,
    { user, trial_plan }: SubscriptionRecord,
    changes: Partial<SubscriptionRecord>,
    begins: Trial | null = null,
  ): void {
    if (begins !== null) takeTrial(this.names, work, begins);
    if (trial_plan !== null && changes.trial_plan === null) releaseTrial(this.names, work, user, trial_plan);
  }

  /** Number of subscriptions of a company that have redeemed a coupon. */
  async redeemedWith(company: Id, coupon: Id): Promise<number> {
    return this.in(company).count({ redeemed_coupons: coupon });
  }

  /** The subscriptions that a sweep must read, across all companies, the longest due first. `now` is real time. */
  async toWake(now: Date, limit: number): Promise<(SubscriptionKey & { readonly wake_at: Date })[]> {
    return this.model
      .find({ wake_at: dueBy(now) }, { company: 1, wake_at: 1 })
      .sort({ wake_at: 1 })
      .limit(limit)
      .lean<(SubscriptionKey & { readonly wake_at: Date })[]>();
  }

  /** The companies with a subscription that a sweep must read. */
  async companiesToWake(now: Date): Promise<Id[]> {
    const found = await this.model.collection
      .aggregate<{ _id: Id }>([{ $match: { wake_at: dueBy(now) } }, { $group: { _id: '$company' } }])
      .toArray();
    return found.map(({ _id }) => _id);
  }

  /** The subscriptions of one company that a sweep must read, the longest due first. */
  async toWakeOf(company: Id, now: Date, limit: number): Promise<SubscriptionKey[]> {
    return this.model
      .find({ company, wake_at: dueBy(now) }, { company: 1 })
      .sort({ wake_at: 1 })
      .limit(limit)
      .lean<SubscriptionKey[]>();
  }

  /** Count and age of a company's subscriptions that a sweep must read. `now` is real time. */
  async dueOf(company: Id, now: Date): Promise<DueWork> {
    return dueWorkOf(this.model, company, 'wake_at', now);
  }

  /** The debt owed to a company by subscriptions in real time, by currency and collection state. */
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

  /** Number of subscriptions that a sweep must read, across all companies. `now` is real time. */
  async dueCount(now: Date): Promise<number> {
    return this.model.countDocuments({ wake_at: dueBy(now) });
  }

  /**
   * The subscriptions due on a test clock by `until`, in order; those with a payment in flight, which have no date,
   * come first. A single query, because a subscription that changes from one group to the other could slip through two.
   */
  async pendingOnClock(company: Id, clock: Id, until: Date, limit: number): Promise<SubscriptionRecord[]> {
    const due = { due: { $lte: until }, failures: { $lt: MAX_FAILURES }, held: null };
    const inFlight = { due: null, 'open_payments.state': 'IN_FLIGHT' };
    return this.in(company).many(
      { test_clock: clock, $or: [due, inFlight] },
      { sort: { due: 1, _id: 1 }, limit },
    );
  }

  /** The subscriptions of a company whose billing is on hold. */
  async heldIn(company: Id): Promise<Id[]> {
    const found = await this.model.find({ company, ...IS_HELD }, { _id: 1 }).lean<SubscriptionKey[]>();
    return found.map(({ _id }) => _id);
  }

  /** Number of subscriptions of a company whose billing is on hold. */
  async heldCount(company: Id): Promise<Total> {
    return this.in(company).total(IS_HELD);
  }

  /** Number of subscriptions of all companies on hold for each reason, and of those failing now. */
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

  /** The subscriptions of a user that run or may be started. */
  async toStopOf(company: Id, user: Id, limit: number): Promise<SubscriptionRecord[]> {
    const filter = { user, deleted: false, $or: [...RUNNING, { status: 'CREATED' }] };
    return this.in(company).many(filter, { sort: { created: -1, _id: -1 }, limit });
  }

  /**
   * All live subscriptions on a test clock or, with null, in real time, so many at a time; in an order that is stable
   * meanwhile. Of each only what its renewals follow from: few need more, and a record with all fields takes twice as
   * long to read.
   */
  live(company: Id, testClock: Id | null, batchSize: number): AsyncIterable<RenewalRecord[]> {
    const filter = { status: { $in: LIVE }, test_clock: testClock, deleted: false };
    const sort = { created: -1, _id: -1 } as const;
    return this.in(company).partsInBatches(filter, RENEWAL_FIELDS, { sort, batchSize });
  }

  /** Those of these subscriptions that are still there, with all that their charges follow from. */
  async liveByIds(company: Id, ids: readonly Id[]): Promise<LiveSubscription[]> {
    return [...(await this.in(company).partsByIds(ids, this.liveFields)).values()];
  }

  /** The live subscriptions that take from a balance and are not on hold, the newest first. */
  async sharingBalance(
    { company, user, currency, test_clock }: BalanceOwner,
    limit: number,
  ): Promise<LiveSubscription[]> {
    const filter = { user, currency, test_clock, status: { $in: LIVE }, deleted: false, held: null };
    return this.in(company).many(filter, { sort: { created: -1, _id: -1 }, limit });
  }

  /** Records a failure of billing and backs off: longer with every failure, up to an hour. */
  async noteFailure(subscription: SubscriptionRecord, now: Date): Promise<void> {
    const rest = backoffMs(subscription.failures, RESTS);
    await this.model.collection.updateOne(this.asRead(subscription), {
      $inc: { failures: 1 },
      $set: { wake_at: new Date(now.getTime() + rest) },
    });
  }

  /** Changes only the date at which a sweep reads the subscription. */
  async wake(subscription: SubscriptionRecord, at: Date | null): Promise<void> {
    await this.model.collection.updateOne(this.asRead(subscription), { $set: { wake_at: at } });
  }

  /** Matches the version that was read: a writer that has changed it since has set a new date. */
  private asRead({ _id, company, sys }: SubscriptionRecord): object {
    return this.engine.withId(_id, { company, 'sys.version': sys.version });
  }
}

import { Injectable } from '@nestjs/common';
import { BusinessClock, type Instants } from '@commerce/identity';
import { groupById } from '@commerce/data';
import { Log } from '@commerce/platform';
import { type Id } from '@commerce/records';
import pMap from 'p-map';

import type { Terms } from '../domain/pricing/terms.js';
import { wakeAt } from '../subscriptions/subscription-change.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { BillingStepRunner } from './billing-step-runner.js';
import { TermsReader, type TermsOf } from '../terms/terms-reader.js';
import { BATCH } from '../job/billing.job.js';
import { roundRobinBatches } from './round-robin-batches.js';
import { KeyedMutex } from './keyed-mutex.js';

/** Steps that one subscription may take in a row; more would be an endless loop. */
const MAX_STEPS = 100;

/** Conflicts after which a subscription is left to the next sweep. */
const MAX_CONFLICTS = 8;

/** Due subscriptions that `runDue` reads in one query. */
const PER_ROUND = 500;

/** Delay of a charge beyond which a warning is logged. */
const LATE_MS = 3_600_000;

/** The result of `runDue`. `steps` counts charges, retries and other changes. */
export interface RunReport {
  readonly subscriptions: number;
  readonly steps: number;
}

/** A subscription on a test clock after a run. `waits`: for a payment in flight, or while charges are on hold. */
export interface ClockedSubscription {
  readonly subscription: SubscriptionRecord | null;
  readonly waits: boolean;
}

/** The same, and how many steps were taken. */
interface TakenActions extends ClockedSubscription {
  readonly steps: number;
}

interface Course {
  readonly instantsOf: (subscription: SubscriptionRecord) => Instants | Promise<Instants>;
  /** A sweep stops at a charge, and schedules its next look at a subscription that is not due. */
  readonly isSweep: boolean;
}

/** Subscriptions of one company, and the terms of their plans. */
interface Read {
  readonly found: ReadonlyMap<string, SubscriptionRecord>;
  readonly termsOf: TermsOf;
}

/**
 * Bills subscriptions: read, decide, commit, ask the provider, and repeat until nothing is due. Any number of workers
 * may bill concurrently: the first commit wins, the others read again.
 */
@Injectable()
export class BillingProcessor {
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly store: SubscriptionStore,
    private readonly terms: TermsReader,
    private readonly steps: BillingStepRunner,
    private readonly time: BusinessClock,
    private readonly log: Log,
  ) {}

  /** Bills all due subscriptions, the longest due first, and reports its progress after each batch. */
  async runDue(now: Date, onBatch: (sofar: RunReport) => void = () => undefined): Promise<RunReport> {
    const seen = new Set<string>();
    let steps = 0;
    for (;;) {
      const keys = await this.store.toWake(now, PER_ROUND);
      const before = steps;
      for (const { company, ids } of roundRobinBatches(keys, { size: BATCH, queues: PER_ROUND / BATCH })) {
        steps += await this.runBatch(company, ids);
        for (const id of ids) seen.add(id.toHexString());
        onBatch({ subscriptions: seen.size, steps });
      }
      if (steps === before) return { subscriptions: seen.size, steps };
    }
  }

  /**
   * Bills the due ones among these subscriptions of one company; returns the number of steps taken. Subscriptions that
   * another job of this process is billing come last: a concurrent decision would be the same, and its whole commit
   * refused.
   */
  async runBatch(company: Id, ids: readonly Id[]): Promise<number> {
    const taken = await this.mutex.each(ids, (free) => {
      const read = this.readWithTerms(company, free);
      return async (id) => {
        const { found, termsOf } = await read;
        const one = found.get(id.toHexString());
        return one === undefined ? 0 : this.billOne(one, () => termsOf(one));
      };
    });
    return taken.reduce((sum, steps) => sum + steps, 0);
  }

  private async readWithTerms(company: Id, ids: readonly Id[]): Promise<Read> {
    const found = await this.store.in(company).byIds(ids);
    return { found, termsOf: await this.terms.forMany(company, [...found.values()]) };
  }

  private async billOne(one: SubscriptionRecord, terms: () => Terms): Promise<number> {
    const instantsOf = ({ company, test_clock }: SubscriptionRecord): Promise<Instants> =>
      this.time.instants(company, test_clock);
    try {
      return (await this.takeDue(one, terms, { instantsOf, isSweep: true })).steps;
    } catch (error) {
      await this.steps.fail(one, error);
      return 0;
    }
  }

  /**
   * Bills subscriptions of one company up to the time of their test clock: those of one user one after the other,
   * independent users concurrently.
   */
  async runConcurrently(
    company: Id,
    due: readonly SubscriptionRecord[],
    instants: Instants,
  ): Promise<ClockedSubscription[]> {
    const termsOf = await this.terms.forMany(company, due);
    const course = { instantsOf: () => instants, isSweep: false };
    const run = async ([, own]: [Id, SubscriptionRecord[]]): Promise<ClockedSubscription[]> => {
      const results: ClockedSubscription[] = [];
      for (const one of own) results.push(await this.takeDue(one, () => termsOf(one), course));
      return results;
    };
    // Waits for all users, even when one of them fails unexpectedly.
    return (
      await pMap(
        groupById(due, ({ user }) => user),
        run,
        { stopOnError: false },
      )
    ).flat();
  }

  /** Takes the due actions of one subscription, the longest due first, until nothing more can be done now. */
  private async takeDue(
    start: SubscriptionRecord,
    terms: () => Terms,
    { instantsOf, isSweep }: Course,
  ): Promise<TakenActions> {
    let subscription: SubscriptionRecord | null = start;
    let steps = 0;
    for (let conflicts = 0; subscription?.held === null && steps < MAX_STEPS && conflicts < MAX_CONFLICTS;) {
      const instants = await instantsOf(subscription);
      const { due, open_payments } = subscription;
      if (due === null || due > instants.business) {
        if (isSweep && steps === 0) await this.rest(subscription, instants);
        return { subscription, steps, waits: open_payments.some(({ state }) => state === 'IN_FLIGHT') };
      }
      this.warnOfDelay(subscription, instants.business.getTime() - due.getTime());
      const step = await this.steps.take(subscription, terms, instants);
      if (step === 'failure' || step === 'later')
        return { subscription: null, steps, waits: step === 'later' };
      if (step === 'conflict') conflicts += 1;
      else steps += 1;
      // Once the payment is settled, SubscriptionPaymentOwner bills the rest.
      if (step !== 'conflict' && step.sent && isSweep) return { subscription: null, steps, waits: true };
      subscription = step === 'conflict' || step.sent ? await this.readAgain(start) : step.after;
      if (conflicts === MAX_CONFLICTS)
        this.log.warn({ subscription: start._id.toHexString() }, 'Other writers are faster');
    }
    return { subscription: null, steps, waits: false };
  }

  private readAgain({ company, _id }: SubscriptionRecord): Promise<SubscriptionRecord | null> {
    return this.store.loader.find(company, _id);
  }

  /** After a long time without a worker, each missed period is billed separately, the oldest first. */
  private warnOfDelay({ _id }: SubscriptionRecord, late: number): void {
    if (late > LATE_MS)
      this.log.warn({ subscription: _id.toHexString(), late_ms: late }, 'Billing catches up');
  }

  /** Schedules the next look at a subscription for its due date. */
  private async rest(subscription: SubscriptionRecord, instants: Instants): Promise<void> {
    const wake = wakeAt(subscription.due, subscription.test_clock, instants);
    if (subscription.wake_at?.getTime() !== wake?.getTime()) await this.store.wake(subscription, wake);
  }
}

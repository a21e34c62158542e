import { Injectable } from '@nestjs/common';
import { isFault } from '@commerce/kernel';
import { Log, type Id } from '@commerce/platform';

import type { Terms } from '../domain/lifecycle/subscription-terms.js';
import { wakeAt, type Instants } from '../subscriptions/subscription-change.js';
import type { SubscriptionRecord } from '../subscriptions/subscription.record.js';
import { SubscriptionStore } from '../subscriptions/subscription.store.js';
import { BillingClock } from '../subscriptions/billing-clock.js';
import { BillingStepProcessor, type StepResult } from './billing-step-processor.js';
import { TermsReader } from '../subscriptions/terms-reader.js';
import { BATCH } from '../subscriptions/billing.job.js';
import { batchesOf } from './batches.js';

/** So many subscriptions of a batch wait for the card provider at the same time. */
const ABREAST = 5;

/** Steps without a payment in between that one subscription may take in a row; more would be a loop without end. */
const MANY = 100;

/** How often another writer may be quicker before a subscription is left to the next sweep. */
const TURNS = 8;

const ROUND = 500;

const LATE_MS = 3_600_000;

/** What `runDue` did. `steps` counts charges, retries and other changes. */
export interface RunReport {
  readonly subscriptions: number;
  readonly steps: number;
}

/** How a subscription of a clock stands. `waits`: for the answer to a payment, before which nothing goes on. */
export interface Standing {
  readonly subscription: SubscriptionRecord | null;
  readonly waits: boolean;
}

/**
 * Bills subscriptions: load, decide, commit, ask the provider, and again until nothing is due. Any number of workers
 * may do so at once: whoever commits first has done the step, the others read again.
 */
@Injectable()
export class BillingProcessor {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly terms: TermsReader,
    private readonly steps: BillingStepProcessor,
    private readonly instants: BillingClock,
    private readonly log: Log,
  ) {}

  /** Bills all that is due now, the longest due first. */
  async runDue(now: Date): Promise<RunReport> {
    const seen = new Set<string>();
    let steps = 0;
    for (;;) {
      const keys = await this.store.toWake(now, ROUND);
      const before = steps;
      for (const { company, ids } of batchesOf(keys, BATCH)) {
        steps += await this.runBatch(company, ids);
        for (const id of ids) seen.add(id.toHexString());
      }
      if (steps === before) return { subscriptions: seen.size, steps };
    }
  }

  /** Bills these subscriptions of one company as far as they are due. Returns how many steps were taken. */
  async runBatch(company: Id, ids: readonly Id[]): Promise<number> {
    const found = await this.store.in(company).byIds(ids);
    const waiting = [...found.values()];
    const terms = await this.terms.of(
      company,
      waiting.map(({ plan }) => plan),
    );
    let steps = 0;
    const lane = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        // Its plan was read with the others.
        const taken = await this.drive(next, terms.get(next.plan.toHexString()) as Terms);
        // Only now: another lane may have counted while this one waited.
        steps += taken;
      }
    };
    await Promise.all(Array.from({ length: ABREAST }, lane));
    return steps;
  }

  /** Does what one subscription has to do by `until`, which is where its test clock stands; time never runs back. */
  async runOne(start: SubscriptionRecord, until: Date): Promise<Standing> {
    const terms = await this.terms.ofPlan(start.company, start.plan);
    let subscription: SubscriptionRecord | null = start;
    for (let taken = 0; subscription !== null && taken < MANY; taken += 1) {
      if (subscription.open_payment?.state === 'IN_FLIGHT') return { subscription, waits: true };
      const { due } = subscription;
      if (due === null || due > until) return { subscription, waits: false };
      const instants = { reached: until, real: this.instants.real() };
      const step = await this.tryStep(subscription, terms, instants);
      if (step === 'failure') return { subscription: null, waits: false };
      subscription = step === 'conflict' || step.sent ? await this.again(start) : step.after;
    }
    return { subscription: null, waits: false };
  }

  private async drive(start: SubscriptionRecord, terms: Terms): Promise<number> {
    let subscription: SubscriptionRecord | null = start;
    let conflicts = 0;
    let taken = 0;
    while (subscription !== null && taken < MANY && conflicts < TURNS) {
      const instants = await this.instants.of(subscription);
      const { due } = subscription;
      if (due === null || due > instants.reached) {
        if (taken === 0) await this.rest(subscription, instants);
        return taken;
      }
      this.tellDelay(subscription, instants.reached.getTime() - due.getTime());
      const step = await this.tryStep(subscription, terms, instants);
      if (step === 'failure') return taken;
      if (step === 'conflict') {
        conflicts += 1;
        if (conflicts === TURNS)
          this.log.warn({ subscription: start._id.toHexString() }, 'Others are quicker');
        subscription = await this.again(start);
        continue;
      }
      taken += 1;
      // Whoever settles the payment sees to it that the rest is billed: see SubscriptionPayments.
      if (step.sent) return taken;
      subscription = step.after;
    }
    return taken;
  }

  private again({ company, _id }: SubscriptionRecord): Promise<SubscriptionRecord | null> {
    return this.store.in(company).find(_id);
  }

  /** One subscription that cannot be billed must not keep the others waiting, nor be tried without a pause. */
  private async tryStep(
    subscription: SubscriptionRecord,
    terms: Terms,
    instants: Instants,
  ): Promise<StepResult | 'conflict' | 'failure'> {
    try {
      return await this.steps.take(subscription, terms, instants);
    } catch (error) {
      if (isFault(error, 'record.conflict') || isFault(error, 'payment.exists')) return 'conflict';
      const { _id, company, failures } = subscription;
      this.log.error(
        { error, subscription: _id.toHexString(), company: company.toHexString(), failures: failures + 1 },
        'A subscription could not be billed; it is tried again later',
      );
      await this.store.noteFailure(subscription, instants.real);
      return 'failure';
    }
  }

  /** After a long time without a worker, each period that was missed is billed by itself, the oldest first. */
  private tellDelay({ _id }: SubscriptionRecord, late: number): void {
    if (late > LATE_MS)
      this.log.warn({ subscription: _id.toHexString(), late_ms: late }, 'Billing catches up');
  }

  /** A subscription that was looked at too early, or for nothing, is not looked at again before it is due. */
  private async rest(subscription: SubscriptionRecord, instants: Instants): Promise<void> {
    const wake = wakeAt(subscription.due, subscription.test_clock, instants);
    if (subscription.wake_at?.getTime() !== wake?.getTime()) await this.store.wake(subscription, wake);
  }
}

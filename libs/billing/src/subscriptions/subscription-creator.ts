import { Injectable } from '@nestjs/common';
import { fieldFault } from '@commerce/kernel';
import { retryOnConflict, makeRecord, type Caller, type Id } from '@commerce/platform';

import { BillingClock } from './billing-clock.js';
import { TermsReader } from './terms-reader.js';
import { createSubscription, startSubscription } from '../domain/lifecycle/moves.js';
import { previewCharges, type PreviewedCharge } from '../domain/cycle/preview.js';
import { PlanStore } from '../plans/plan.store.js';
import { Subscribers } from './subscriber.service.js';
import type { CreateSubscriptionBody, PreviewSubscriptionBody } from './subscription.bodies.js';
import { wakeAt } from './subscription-change.js';
import { SubscriptionRecord } from './subscription.record.js';
import { SubscriptionWriter } from './subscription-writer.js';

/** How many charges a preview shows when nobody says. */
const PREVIEWED = 12;

/** New subscriptions, and what they would cost. */
@Injectable()
export class SubscriptionCreator {
  constructor(
    private readonly subscribers: Subscribers,
    private readonly plans: PlanStore,
    private readonly terms: TermsReader,
    private readonly instants: BillingClock,
    private readonly writer: SubscriptionWriter,
  ) {}

  async create(caller: Caller, body: CreateSubscriptionBody): Promise<SubscriptionRecord> {
    const { company } = caller;
    const start = body.start_now === true;
    const payment_method: Id | null = body.payment_method;
    if (start && payment_method === null) {
      throw fieldFault('payment_method', 'payment_method is needed where start_now is true');
    }
    const user = await this.subscribers.of(caller, body.user ?? null);
    const plan = await this.plans.in(company).referred(body.plan, 'plan');
    if (payment_method !== null) await this.subscribers.requireOwn(company, user._id, payment_method);
    const terms = await this.terms.ofPlan(company, plan._id);
    const { test_clock } = user;
    return retryOnConflict(async () => {
      const instants = await this.instants.of({ company, test_clock });
      const state = createSubscription(
        plan,
        { ...termOf(body), has_payment_method: payment_method !== null },
        instants.reached,
      );
      const values = {
        ...state,
        company,
        user: user._id,
        plan: plan._id,
        payment_method,
        name: body.subscription_method ?? plan.name,
        method: body.subscription_method ?? plan.method,
        note: body.note,
        test_clock,
        wake_at: wakeAt(state.due, test_clock, instants),
      };
      const record = makeRecord(SubscriptionRecord, values, instants.reached);
      if (!start) return this.writer.insert(record, instants);
      const input = { new_payment_method: false };
      return this.writer.insert(record, instants, startSubscription(record, terms, input, instants.reached));
    });
  }

  /** The charges that a subscription started now, or at the given date, will come to. Stores nothing. */
  async preview(caller: Caller, body: PreviewSubscriptionBody): Promise<readonly PreviewedCharge[]> {
    const { company } = caller;
    const user =
      caller.role === 'admin' && !body.user ? null : await this.subscribers.of(caller, body.user ?? null);
    const plan = await this.plans.in(company).referred(body.plan, 'plan');
    const method: Id | null = body.payment_method;
    if (method !== null && user !== null) await this.subscribers.requireOwn(company, user._id, method);
    const terms = await this.terms.ofPlan(company, plan._id);
    const { reached } = await this.instants.of({ company, test_clock: user?.test_clock ?? null });
    const created = createSubscription(plan, { ...termOf(body), has_payment_method: true }, reached);
    const input = { new_payment_method: false };
    const { changes } = startSubscription(created, terms, input, reached);
    return previewCharges({ ...created, ...changes }, terms, reached, body.count ?? PREVIEWED);
  }
}

type TermBody = Pick<CreateSubscriptionBody, 'starting_date' | 'ending_date' | 'interval_total' | 'infinite'>;

function termOf({ starting_date, ending_date, interval_total, infinite }: TermBody): TermBody {
  return { starting_date, ending_date, interval_total, infinite };
}

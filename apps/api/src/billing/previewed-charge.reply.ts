import {
  PREVIEWED_FIELDS,
  PlanRecord,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from '@commerce/billing';
import { Amount, Choice, Flag, Instant, ListOf, Nested, Written, createBody } from '@commerce/records';

/** One charge of a previewed subscription. */
export class PreviewedChargeReply {
  @Instant({ description: 'when it is collected' })
  date: Date;

  @Amount({ description: 'what the card pays, in major units of the currency of the plan' })
  amount: number;

  @Amount({ description: 'what the balance of the user pays beside the amount' })
  credit_applied: number;

  @Choice(['setup', 'period', 'proration'], {
    fold: 'lower',
    description: 'what it is for: the setup fee, a period, or a proration',
  })
  kind: string;

  @Instant({ description: 'the beginning of what it pays for' })
  period_start: Date;

  @Instant({ description: 'the end of what it pays for, which is not included' })
  period_end: Date;

  @Written({
    description: 'inputs, rules and rounding steps from which the amount can be recomputed',
    schema: { type: 'object', additionalProperties: true },
  })
  breakdown: object;
}

/** A plan that is not stored. */
export class PreviewedPlanReply extends createBody(PlanRecord, PREVIEWED_FIELDS) {
  @ListOf(() => PreviewedChargeReply, { description: 'the first first' })
  charges: PreviewedChargeReply[];
}

/** A refund that follows from an action or a change. */
export class PreviewedRefundReply {
  @Instant({ description: 'when it is given back' })
  date: Date;

  @Amount({ description: 'what goes back to the card, in major units of the currency of the plan' })
  amount: number;

  @Amount({ description: 'what goes to the balance of the user beside the amount' })
  to_balance: number;
}

/** The charges and refunds that a change of plan or quantity leads to. */
export class PreviewedChangeReply {
  @ListOf(() => PreviewedChargeReply, { description: 'the next first, beginning with that of the change' })
  charges: PreviewedChargeReply[];

  @ListOf(() => PreviewedRefundReply, { description: 'what is given back meanwhile, the first first' })
  refunds: PreviewedRefundReply[];

  @Amount({ description: 'what is still owed after the last of the charges and refunds' })
  outstanding_amount: number;
}

/** The result of a start, stop or pause, before it is taken. */
export class PreviewedActionReply {
  @Choice(SUBSCRIPTION_STATUSES, { description: 'the status right after it' })
  status: SubscriptionStatus;

  @Flag({ description: 'whether service would still be granted right after it' })
  active: boolean;

  @Instant({ optional: true, description: 'when its trial ends, or ended; null without one' })
  trial_ending_date: Date | null;

  @Instant({
    optional: true,
    description: 'when service ends; null where it goes on, or pauses without an end',
  })
  ending_date: Date | null;

  @Instant({ optional: true, description: 'when a pause ends by itself' })
  resume_at: Date | null;

  @Instant({
    optional: true,
    description:
      'when it is settled and CANCELLED; null where it goes on, while it is held, and beyond 120 charges',
  })
  cancelled_at: Date | null;

  @Amount({ signed: true, description: 'the deduction of a stop, as the record shows it in the last period' })
  prorate_amount: number;

  @ListOf(() => PreviewedRefundReply, { description: 'what is given back, the first first' })
  refunds: PreviewedRefundReply[];

  @Amount({ description: 'what is still owed after the last of the charges and refunds' })
  outstanding_amount: number;
}

/** The coming charges of a subscription. */
export class UpcomingChargesReply {
  @ListOf(() => PreviewedChargeReply, { description: 'the next first' })
  charges: PreviewedChargeReply[];

  @Nested(() => PreviewedActionReply, {
    optional: true,
    description: 'with `start`, `stop` or `pause`: what that would lead to',
  })
  action: PreviewedActionReply | null;
}

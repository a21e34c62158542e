import { Amount, Choice, Instant, ListOf, Written } from '@commerce/records';

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

/** The coming charges of a running subscription. */
export class UpcomingChargesReply {
  @ListOf(() => PreviewedChargeReply, { description: 'the next first' })
  charges: PreviewedChargeReply[];
}

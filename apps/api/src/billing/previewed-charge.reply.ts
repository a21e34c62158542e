import { Amount, Choice, Instant, Written } from '@commerce/platform';

/** One charge that a subscription would come to. */
export class PreviewedChargeReply {
  @Instant({ description: 'when it is collected' })
  date: Date;

  @Amount()
  amount: number;

  @Choice(['setup', 'period', 'proration'], { fold: 'lower' })
  kind: string;

  @Instant()
  period_start: Date;

  @Instant()
  period_end: Date;

  @Written({
    description: 'inputs, rules and rounding steps from which the amount can be recomputed',
    schema: { type: 'object', additionalProperties: true },
  })
  breakdown: object;
}

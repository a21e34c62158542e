import { Amount, Currency, Flag, ListOf, Nested, Ref, Text, type Id } from '@commerce/records';

/** An amount of money. */
export class MoneyReply {
  @Amount({ description: 'in major units of the currency' })
  amount: number;

  @Currency()
  currency: string;
}

/** One line of an amount. */
export class ExplanationLineReply {
  @Text({ example: 'Jan 1 – 31, 2026', description: 'what the line is about, for people' })
  label: string;

  @Amount({
    optional: true,
    signed: true,
    description: 'its part of the amount; null for a line that explains others',
  })
  amount: number | null;

  @Text({ optional: true, max: 1024, description: 'how it was computed' })
  note: string | null;
}

/** The computation of a payment's amount. */
export class PaymentExplanationReply {
  @Ref('payment')
  payment: Id;

  @Nested(() => MoneyReply, { description: 'the amount of the payment' })
  charged: MoneyReply;

  @Nested(() => MoneyReply, {
    optional: true,
    description: 'the amount computed anew from the inputs in the breakdown; null where it cannot be',
  })
  recomputed: MoneyReply | null;

  @Flag({ description: 'whether both are the same' })
  agrees: boolean;

  @ListOf(() => ExplanationLineReply, { description: 'their amounts add up to the recomputed one' })
  lines: ExplanationLineReply[];
}

import { Choice, Integer, InstantOr, Text, updateBody } from '@commerce/records';

import { SubscriptionRecord } from '../subscription-record/subscription.record.js';

export class ChangePlanBody extends updateBody(SubscriptionRecord, ['plan', 'quantity']) {
  @InstantOr(['now', 'period_end'], {
    optional: true,
    description:
      'when it takes effect: `now`, at the end of the running period, or at a date; left out, `now`, and of a user `period_end` where one of the plans is not prorated',
  })
  at?: Date | 'now' | 'period_end' | null;

  @Text({ optional: true, max: 64, description: 'the code of a coupon, which replaces an earlier one' })
  coupon?: string | null;

  @Choice(['first', 'later'], {
    optional: true,
    fold: 'lower',
    description:
      '`first`: a change that costs something takes effect once that is paid, the only way of a user; `later`: at once, the default of an admin',
  })
  collect?: 'first' | 'later' | null;

  @Choice(['balance', 'refund'], {
    optional: true,
    fold: 'lower',
    description:
      "where the rest of a credit goes: to the customer's balance, unless an admin has it refunded to the card",
  })
  credit?: 'balance' | 'refund' | null;

  @Choice(['waive'], {
    optional: true,
    fold: 'lower',
    description:
      'an admin waives the setup fee: otherwise that of the new plan is charged, where the subscription was never charged one',
  })
  setup_fee?: 'waive' | null;
}

export class PreviewChangeBody extends ChangePlanBody {
  @Integer({ default: 12, min: 1, max: 36, description: 'how many charges' })
  count?: number;
}

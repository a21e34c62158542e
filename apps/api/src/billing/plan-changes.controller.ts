import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ChangePlanBody,
  PlanChanger,
  PreviewChangeBody,
  SubscriptionRecord,
  type PreviewedChange,
} from '@commerce/billing';
import { PaymentRecord } from '@commerce/payments';
import type { Caller } from '@commerce/data';
import type { Id as RecordId } from '@commerce/records';

import { CustomerMay, UserOrAdmin } from '../http/access.js';
import { AUTHENTICATE, Answers, AnswersAlso, Describe, Faults, TriesCards } from '../http/answers.js';
import { ResumedBy } from '../http/idempotency/idempotency.notes.js';
import { Delete, Post, PostReading } from '../http/methods.js';
import { TakesCoupon } from '../http/coupons/takes-coupon.js';
import { BodyOf, Calling, Id } from '../http/params.js';
import type { RecordReply } from '../http/replies/reply.adapter.js';
import { COUPONS } from './coupon-faults.js';
import { SubscriptionPresenter } from './subscription-presenter.js';
import { PreviewedChangeReply } from './previewed-charge.reply.js';

const CHANGING = [
  ...COUPONS,
  'amount.below_minimum',
  'amount.invalid',
  'customer.not_allowed',
  'payment_method.missing',
  'plan.currency_differs',
  'plan.not_prorated',
  'plan.unknown',
  'product.currency_changed',
  'product.unknown',
  'role.forbidden',
  'subscription.changed_too_often',
  'subscription.set_by_company',
  'subscription.state_conflict',
  'user.owes',
];

const CHANGE_REPLIES =
  '200 with the subscription. With `collect` `first`, the reply is 402 when the card was declined, and nothing has ' +
  'changed; it is 422 with the payment when the customer, who is present, must authenticate: the change then waits ' +
  'for 23 hours.';

@ApiTags('subscriptions')
@Controller('subscriptions')
export class PlanChangesController {
  constructor(
    private readonly changes: PlanChanger,
    private readonly replies: SubscriptionPresenter,
  ) {}

  @Describe(
    'Change the plan or quantity',
    `Of a running subscription the rest of the period is credited at the old price and charged at the new one; before the first charge, plan and quantity are exchanged. Omitted fields keep their values. ${CHANGE_REPLIES}`,
  )
  @Post(':id/change')
  @TakesCoupon()
  @TriesCards()
  @UserOrAdmin()
  @CustomerMay('change')
  @ResumedBy('resumeChange')
  @Answers(SubscriptionRecord)
  @AnswersAlso(422, PaymentRecord, AUTHENTICATE)
  @Faults(...CHANGING, 'payment.declined', 'payment.open')
  async change(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(ChangePlanBody) body: ChangePlanBody,
  ): Promise<SubscriptionRecord | RecordReply> {
    return this.replies.to(caller, await this.changes.change(caller, id, body));
  }

  @Describe(
    'Preview a change of the plan or quantity',
    'The charges that follow from a change with this body, beginning with its own, with dates, amounts and breakdowns, and what it gives back. Nothing is stored.',
  )
  @PostReading(':id/change/preview')
  @TakesCoupon()
  @UserOrAdmin()
  @Answers(PreviewedChangeReply)
  @Faults(...CHANGING)
  previewChange(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(PreviewChangeBody) body: PreviewChangeBody,
  ): Promise<PreviewedChange> {
    return this.changes.preview(caller, id, body);
  }

  @Describe(
    'End the discount of a coupon',
    'From the next interval on; one that has not been charged yet ends at once.',
  )
  @Delete(':id/coupon')
  @UserOrAdmin()
  @Answers(SubscriptionRecord)
  @Faults('subscription.state_conflict')
  endCoupon(@Calling() caller: Caller, @Id() id: string): Promise<SubscriptionRecord> {
    return this.changes.endCoupon(caller, id);
  }

  @Describe('Withdraw a change', 'One that is still to come: scheduled, or waiting for its payment.')
  @Delete(':id/change')
  @UserOrAdmin()
  @Answers(SubscriptionRecord)
  @Faults('subscription.set_by_company', 'subscription.state_conflict')
  withdrawChange(@Calling() caller: Caller, @Id() id: string): Promise<SubscriptionRecord> {
    return this.changes.withdraw(caller, id);
  }

  /** Replies to the repetition of a change whose process died after its commit. */
  async resumeChange(
    caller: Caller,
    id: string,
    beside: readonly RecordId[],
  ): Promise<SubscriptionRecord | RecordReply> {
    return this.replies.to(caller, await this.changes.resume(caller, id, beside));
  }
}

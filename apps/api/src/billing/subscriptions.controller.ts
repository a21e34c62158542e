import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ActionPreviewReader,
  CreateSubscriptionBody,
  ListSubscriptionsQuery,
  PauseSubscriptionBody,
  PreviewSubscriptionBody,
  SearchSubscriptionsQuery,
  StartSubscriptionBody,
  StopSubscriptionBody,
  SubscriptionCreator,
  SubscriptionReader,
  Subscriptions,
  UpcomingChargesQuery,
  UpdateSubscriptionBody,
  type PreviewedCharge,
  type UpcomingCharges,
  SubscriptionRecord,
} from '@commerce/billing';
import type { Caller, Page, RecordStream } from '@commerce/data';
import { PaymentRecord } from '@commerce/payments';
import type { Id as RecordId } from '@commerce/records';

import { BeyondQuota, AdminOnly, CustomerMay, UserOrAdmin } from '../http/access.js';
import { AUTHENTICATE, Answers, AnswersAlso, Describe, Faults, TriesCards } from '../http/answers.js';
import { ResumedBy, ShownBy } from '../http/idempotency/idempotency.notes.js';
import type { RecordReply } from '../http/replies/reply.adapter.js';
import { Delete, Post, Put, PostReading } from '../http/methods.js';
import { TakesCoupon } from '../http/coupons/takes-coupon.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';
import { COUPONS } from './coupon-faults.js';
import { PreviewedChargeReply, UpcomingChargesReply } from './previewed-charge.reply.js';
import { SubscriptionPresenter } from './subscription-presenter.js';

const START_REPLIES =
  '200 with the subscription. With `collect` `first`, the reply is 402 when the card was declined, and it stays ' +
  'CREATED; it is 422 with the payment when the customer, who is present, must authenticate: the start then waits for ' +
  '23 hours, as `pending_start`.';

@ApiTags('subscriptions')
@Controller('subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly reader: SubscriptionReader,
    private readonly creator: SubscriptionCreator,
    private readonly previews: ActionPreviewReader,
    private readonly replies: SubscriptionPresenter,
  ) {}

  @Describe(
    'Create a subscription',
    `With \`start_now\` and a \`payment_method\` it starts at once, or once its first charge is paid; otherwise it is CREATED until it is started. An admin names the \`user\`, and alone may set \`subscription_method\`. ${START_REPLIES}`,
  )
  @Post()
  @TakesCoupon()
  @TriesCards()
  @UserOrAdmin()
  @CustomerMay('subscribe')
  @CustomerMay('stop', 'ending_date', 'interval_total')
  @Answers(SubscriptionRecord)
  @Faults(
    'customer.not_allowed',
    ...COUPONS,
    'user.owes',
    'plan.unknown',
    'user.unknown',
    'payment_method.unknown',
    'payment_method.incomplete',
    'subscription.field_reserved',
    'date.out_of_range',
    'amount.below_minimum',
    'amount.invalid',
  )
  async create(
    @Calling() caller: Caller,
    @BodyOf(CreateSubscriptionBody) body: CreateSubscriptionBody,
  ): Promise<SubscriptionRecord | RecordReply> {
    return this.replies.to(caller, await this.creator.create(caller, body));
  }

  @Describe(
    'Preview the charges of a subscription',
    'The next charges that a subscription with this body would come to, with dates, amounts and breakdowns. Nothing is stored; what a preview shows is what is charged.',
  )
  @PostReading('preview')
  @TakesCoupon()
  @UserOrAdmin()
  @Answers([PreviewedChargeReply])
  @Faults(
    'customer.not_allowed',
    ...COUPONS,
    'user.owes',
    'plan.unknown',
    'user.unknown',
    'payment_method.unknown',
    'payment_method.incomplete',
    'subscription.field_reserved',
    'date.out_of_range',
    'amount.below_minimum',
    'amount.invalid',
  )
  preview(
    @Calling() caller: Caller,
    @BodyOf(PreviewSubscriptionBody) body: PreviewSubscriptionBody,
  ): Promise<readonly PreviewedCharge[]> {
    return this.creator.preview(caller, body);
  }

  @Describe('List subscriptions', 'The newest first. Users see their own subscriptions only.')
  @Get()
  @UserOrAdmin()
  @Answers([SubscriptionRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListSubscriptionsQuery) query: ListSubscriptionsQuery,
  ): Promise<Page<SubscriptionRecord>> {
    return this.reader.list(caller, query);
  }

  @Describe(
    'Search subscriptions',
    'Filters by `method`. Without `size`, every subscription of the company is streamed in one array.',
  )
  @Get('search')
  @AdminOnly()
  @Answers([SubscriptionRecord])
  search(
    @Calling() caller: Caller,
    @QueryOf(SearchSubscriptionsQuery) query: SearchSubscriptionsQuery,
  ): Promise<Page<SubscriptionRecord> | RecordStream<SubscriptionRecord>> {
    return this.reader.search(caller, query);
  }

  @Describe('Retrieve a subscription', 'Deleted subscriptions are shown to admins only.')
  @Get(':id')
  @UserOrAdmin()
  @Answers(SubscriptionRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<SubscriptionRecord> {
    return this.reader.get(caller, id);
  }

  @Describe(
    'Preview the next charges of a subscription',
    'What a running subscription will be charged, with dates, amounts and breakdowns, assuming that each payment succeeds on its date. Empty while it is held, and when nothing more is due. With `start`, `stop` or `pause`, what would follow from that: `action` says when it ends, and what is given back. Nothing is stored.',
  )
  @Get(':id/preview')
  @UserOrAdmin()
  @Answers(UpcomingChargesReply)
  @Faults(
    'amount.below_minimum',
    'customer.not_allowed',
    'subscription.changed_too_often',
    'subscription.set_by_company',
    'subscription.state_conflict',
    'subscription.reanchored_too_often',
    'user.owes',
  )
  previewNext(
    @Calling() caller: Caller,
    @Id() id: string,
    @QueryOf(UpcomingChargesQuery) query: UpcomingChargesQuery,
  ): Promise<UpcomingCharges> {
    return this.previews.preview(caller, id, query);
  }

  @Describe(
    'Update a subscription',
    'Fields that are left out stay as they are. Of `infinite`, `ending_date` and `interval_total` only the first that is set is kept. A new payment method is charged at once with all that is owed.',
  )
  @Put(':id')
  @TriesCards()
  @UserOrAdmin()
  @CustomerMay('stop', 'ending_date', 'interval_total')
  @Answers(SubscriptionRecord)
  @Faults(
    'customer.not_allowed',
    'subscription.set_by_company',
    'subscription.state_conflict',
    'payment_method.unknown',
    'payment_method.incomplete',
    'date.out_of_range',
  )
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateSubscriptionBody) body: UpdateSubscriptionBody,
  ): Promise<SubscriptionRecord> {
    return this.subscriptions.update(caller, id, body);
  }

  @Describe('Delete a subscription', 'The subscription keeps its record, with `deleted` set.')
  @Delete(':id')
  @AdminOnly()
  @Answers(SubscriptionRecord)
  @Faults('subscription.state_conflict')
  delete(@Calling() caller: Caller, @Id() id: string): Promise<SubscriptionRecord> {
    return this.subscriptions.delete(caller, id);
  }

  @Describe(
    'Start a subscription',
    `Starts it now or at \`starting_date\`, resumes it after a pause, or takes back a stop that has not taken effect. ${START_REPLIES}`,
  )
  @Post(':id/start')
  @TakesCoupon()
  @TriesCards()
  @UserOrAdmin()
  @CustomerMay('stop', 'ending_date', 'interval_total')
  @ResumedBy('resumeStart')
  @ShownBy('get')
  @Answers(SubscriptionRecord)
  @AnswersAlso(422, PaymentRecord, AUTHENTICATE)
  @Faults(
    'customer.not_allowed',
    ...COUPONS,
    'amount.below_minimum',
    'payment.declined',
    'payment.open',
    'subscription.set_by_company',
    'subscription.state_conflict',
    'user.owes',
    'subscription.reanchored_too_often',
    'payment_method.missing',
    'payment_method.unknown',
    'payment_method.incomplete',
    'date.out_of_range',
  )
  async start(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(StartSubscriptionBody) body: StartSubscriptionBody,
  ): Promise<SubscriptionRecord | RecordReply> {
    return this.replies.to(caller, await this.subscriptions.start(caller, id, body));
  }

  /** Replies to the repetition of a start whose process died after its commit. */
  async resumeStart(
    caller: Caller,
    id: string,
    beside: readonly RecordId[],
  ): Promise<SubscriptionRecord | RecordReply> {
    return this.replies.to(caller, await this.subscriptions.resume(caller, id, beside));
  }

  @Describe(
    'Stop a subscription',
    'At once, or at `ending_date`. The running period is settled at its end, prorated if the plan says so. Where no period runs, before the start, in a trial without `ending_date` and in a pause, it is CANCELLED immediately.',
  )
  @Post(':id/stop')
  @BeyondQuota()
  @UserOrAdmin()
  @CustomerMay('stop')
  @Answers(SubscriptionRecord)
  @Faults('customer.not_allowed', 'subscription.state_conflict')
  stop(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(StopSubscriptionBody) body: StopSubscriptionBody,
  ): Promise<SubscriptionRecord> {
    return this.subscriptions.stop(caller, id, body);
  }

  @Describe(
    'Pause a subscription',
    'Until it is started again or `resume_at` comes. What was paid for unused days is given back, what was used is billed.',
  )
  @Post(':id/pause')
  @UserOrAdmin()
  @CustomerMay('pause')
  @Answers(SubscriptionRecord)
  @Faults('customer.not_allowed', 'subscription.changed_too_often', 'subscription.state_conflict')
  pause(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(PauseSubscriptionBody) body: PauseSubscriptionBody,
  ): Promise<SubscriptionRecord> {
    return this.subscriptions.pause(caller, id, body);
  }

  @Describe(
    'Release a subscription',
    'Lets a subscription that is `held` go on, and charges all that is due by now. One that is not held stays as it is.',
  )
  @Post(':id/release')
  @AdminOnly()
  @Answers(SubscriptionRecord)
  release(@Calling() caller: Caller, @Id() id: string): Promise<SubscriptionRecord> {
    return this.subscriptions.release(caller, id);
  }
}

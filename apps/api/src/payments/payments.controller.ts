import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ConfirmPaymentBody,
  ListPaymentsQuery,
  PaymentExplainer,
  PaymentReader,
  PaymentRecord,
  PaymentTotalsQuery,
  Payments,
  RefundPaymentBody,
  type PaymentExplanation,
  type PaymentTotals,
} from '@commerce/payments';
import type { Caller, Page } from '@commerce/data';

import { BeyondQuota, AdminOnly, UserOrAdmin } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { Post } from '../http/methods.js';
import { ResumedBy, ShownBy } from '../http/idempotency/idempotency.notes.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';
import { PaymentExplanationReply } from './payment-explanation.reply.js';
import { PaymentTotalsReply } from './payment-totals.reply.js';

@ApiTags('payments')
@Controller('payments')
export class PaymentsController {
  constructor(
    private readonly payments: Payments,
    private readonly reader: PaymentReader,
    private readonly explainer: PaymentExplainer,
  ) {}

  @Describe('List payments', 'The newest first. Users see their own payments only.')
  @Get()
  @UserOrAdmin()
  @Answers([PaymentRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListPaymentsQuery) query: ListPaymentsQuery,
  ): Promise<Page<PaymentRecord>> {
    return this.reader.list(caller, query);
  }

  @Describe(
    'Add payments up',
    'What became of the payments that were created in a time, by currency: collected, refunded, at risk, failed and still open.',
  )
  @Get('totals')
  @AdminOnly()
  @Answers(PaymentTotalsReply)
  @Faults('query.timeout')
  totals(
    @Calling() caller: Caller,
    @QueryOf(PaymentTotalsQuery) query: PaymentTotalsQuery,
  ): Promise<PaymentTotals> {
    return this.reader.totals(caller, query);
  }

  @Describe(
    'Retrieve a payment',
    'Where the customer must authenticate it, its owner also gets `metadata.intent_client_secret`. Every reply to an admin that shows a payment which can be paid has `pay_url`, the page to send to the customer.',
  )
  @Get(':id')
  @UserOrAdmin()
  @Answers(PaymentRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<PaymentRecord> {
    return this.reader.get(caller, id);
  }

  @Describe(
    'Explain a payment',
    'Computes the amount anew from the inputs that the payment keeps, line by line, and says whether it is the amount that was charged.',
  )
  @Get(':id/explanation')
  @UserOrAdmin()
  @Answers(PaymentExplanationReply)
  explain(@Calling() caller: Caller, @Id() id: string): Promise<PaymentExplanation> {
    return this.explainer.explain(caller, id);
  }

  @Describe(
    'Confirm a payment',
    'After the customer authenticated: the provider is asked how the intent stands. The same confirmation again gives the same answer.',
  )
  @Post(':id/confirm')
  @BeyondQuota()
  @UserOrAdmin()
  @ResumedBy('get')
  @ShownBy('get')
  @Answers(PaymentRecord)
  @Faults(
    'payment.confirmation_invalid',
    'provider.refused',
    'provider.unavailable',
    'provider.not_configured',
  )
  async confirm(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(ConfirmPaymentBody) body: ConfirmPaymentBody,
  ): Promise<PaymentRecord> {
    return this.reader.shown(caller, await this.payments.confirm(caller, id, body));
  }

  @Describe(
    'Refund a payment',
    'Gives back an amount or, without one, all that is left: to the card and, beyond what the card paid or with `to` `balance`, to the balance of the user. Refunds never add up to more than was paid.',
  )
  @Post(':id/refunds')
  @AdminOnly()
  @Answers(PaymentRecord)
  @Faults('payment.state_conflict', 'refund.too_large', 'amount.too_precise')
  refund(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(RefundPaymentBody) body: RefundPaymentBody,
  ): Promise<PaymentRecord> {
    return this.payments.refund(caller, id, body);
  }
}

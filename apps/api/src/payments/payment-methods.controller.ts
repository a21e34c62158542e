import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CardLinks,
  CreatePaymentMethodBody,
  DeletePaymentMethodQuery,
  ListPaymentMethodsQuery,
  PaymentMethods,
  UpdatePaymentMethodBody,
  PaymentMethodRecord,
} from '@commerce/payments';
import type { Caller, Page } from '@commerce/data';

import { UserOrAdmin } from '../http/access.js';
import { Answers, Describe, Faults, TriesCards } from '../http/answers.js';
import { Delete, Post, Put } from '../http/methods.js';
import { ResumedBy, ShownBy } from '../http/idempotency/idempotency.notes.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('payment methods')
@Controller('payment_methods')
export class PaymentMethodsController {
  constructor(
    private readonly methods: PaymentMethods,
    private readonly links: CardLinks,
  ) {}

  @Describe(
    'Create a payment method',
    'An empty one, with a `setup_intent.client_secret` by which the library of the provider saves a card in it. An admin names the `user`, and gets `setup_url`, the page to send to that user: it saves the card there, within seven days.',
  )
  @Post()
  @TriesCards()
  @ResumedBy('get')
  @ShownBy('get')
  @UserOrAdmin()
  @Answers(PaymentMethodRecord)
  @Faults(
    'user.unknown',
    'payment_method.provider_unknown',
    'provider.refused',
    'provider.unavailable',
    'provider.not_configured',
  )
  async create(
    @Calling() caller: Caller,
    @BodyOf(CreatePaymentMethodBody) body: CreatePaymentMethodBody,
  ): Promise<PaymentMethodRecord> {
    return this.links.withLink(caller, await this.methods.create(caller, body));
  }

  @Describe('List payment methods', 'The newest first. Users see their own payment methods only.')
  @Get()
  @UserOrAdmin()
  @Answers([PaymentMethodRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListPaymentMethodsQuery) query: ListPaymentMethodsQuery,
  ): Promise<Page<PaymentMethodRecord>> {
    return this.methods.list(caller, query);
  }

  @Describe('Retrieve a payment method', 'Deleted payment methods are shown to admins only.')
  @Get(':id')
  @UserOrAdmin()
  @Answers(PaymentMethodRecord)
  async get(@Calling() caller: Caller, @Id() id: string): Promise<PaymentMethodRecord> {
    return this.links.withLink(caller, await this.methods.get(caller, id));
  }

  @Describe(
    'Update a payment method',
    'Fills it with the card that the library of the provider saved, or makes it the first choice of its user.',
  )
  @Put(':id')
  @TriesCards()
  @UserOrAdmin()
  @Answers(PaymentMethodRecord)
  @Faults(
    'payment_method.unknown',
    'payment_method.declined',
    'payment_method.state_conflict',
    'provider.unavailable',
    'provider.not_configured',
  )
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdatePaymentMethodBody) body: UpdatePaymentMethodBody,
  ): Promise<PaymentMethodRecord> {
    return this.methods.update(caller, id, body);
  }

  @Describe('Delete a payment method', 'Live subscriptions that use it need a `replacement`.')
  @Delete(':id')
  @UserOrAdmin()
  @Answers(PaymentMethodRecord)
  @Faults(
    'payment_method.in_use',
    'payment_method.unknown',
    'provider.unavailable',
    'provider.not_configured',
  )
  delete(
    @Calling() caller: Caller,
    @Id() id: string,
    @QueryOf(DeletePaymentMethodQuery) query: DeletePaymentMethodQuery,
  ): Promise<PaymentMethodRecord> {
    return this.methods.delete(caller, id, query);
  }
}

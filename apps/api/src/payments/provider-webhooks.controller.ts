import { Controller, Headers, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ProviderWebhooks } from '@commerce/payments';

import { Open } from '../http/access.js';
import { Answers, Describe, Faults, Reads } from '../http/answers.js';
import { Post } from '../http/methods.js';
import type { ServiceRequest } from '../http/service-request.js';
import { ReceivedReply } from './received.reply.js';

@ApiTags('provider webhooks')
@Controller('provider_notices')
export class ProviderWebhooksController {
  constructor(private readonly webhooks: ProviderWebhooks) {}

  @Describe(
    'Receive a webhook of Stripe',
    'Authenticated by its signature over the raw body. Each event takes effect once; what it says is asked of Stripe again.',
  )
  @Post('stripe')
  @Open()
  @Answers(ReceivedReply)
  @Reads('Stripe-Signature')
  @Faults('notice.invalid')
  async stripe(
    @Req() request: ServiceRequest,
    @Headers('stripe-signature') signature?: string,
  ): Promise<object> {
    await this.webhooks.receive(request.rawBody ?? Buffer.alloc(0), signature ?? '');
    return { received: true };
  }
}

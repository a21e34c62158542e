import { Controller, Headers, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ProviderWebhooks } from '@commerce/payments';

import { Open } from '../http/access.js';
import type { ServiceRequest } from '../http/requests.js';

@ApiTags('provider webhooks')
@Controller('provider_notices')
export class ProviderWebhooksController {
  constructor(private readonly webhooks: ProviderWebhooks) {}

  /** Only the provider knows the secret of the signature, which is over the bytes as they came. */
  @Post('stripe')
  @Open()
  async stripe(
    @Req() request: ServiceRequest,
    @Headers('stripe-signature') signature?: string,
  ): Promise<object> {
    await this.webhooks.receive(request.rawBody ?? Buffer.alloc(0), signature ?? '');
    return { received: true };
  }
}

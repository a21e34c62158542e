import { ProviderWebhooks } from '@commerce/payments';
import { Sweeps, type Sweep } from '@commerce/platform';

const BATCH = 50;

/** Takes up notices of the card provider that had no effect yet, because their taker died or the provider was away. */
@Sweeps('provider-notices')
export class ProviderNoticesSweep implements Sweep {
  constructor(private readonly notices: ProviderWebhooks) {}

  async run(): Promise<void> {
    await this.notices.sweep(BATCH);
  }
}

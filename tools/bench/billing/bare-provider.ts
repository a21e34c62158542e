import { Pool } from 'undici';

import type { PaymentRow } from './rows.js';

/** What the provider says of a charge, under the service's names. */
export interface Charged {
  readonly intent_id: string;
  readonly charge_id: string;
}

interface Intent {
  readonly id: string;
  readonly status: string;
  readonly latest_charge: string;
}

/** Charges cards with the request that the service's own adapter sends. */
export class BareProvider {
  private readonly pool: Pool;

  constructor(
    url: string,
    private readonly secretKey: string,
    connections: number,
  ) {
    this.pool = new Pool(url, { connections, pipelining: 1 });
  }

  async charge({ _id, company, amount, currency, request }: PaymentRow): Promise<Charged> {
    const form = new URLSearchParams({
      amount: String(Math.round(amount * 100)),
      currency: currency.toLowerCase(),
      customer: request.customer_id,
      payment_method: request.method_id,
      'automatic_payment_methods[enabled]': 'true',
      'automatic_payment_methods[allow_redirects]': 'never',
      confirm: 'true',
      off_session: 'true',
      'metadata[company]': company.toHexString(),
      'metadata[payment]': _id.toHexString(),
      'metadata[attempt]': '1',
    });
    const { statusCode, body } = await this.pool.request({
      method: 'POST',
      path: '/v1/payment_intents',
      headers: {
        authorization: `Bearer ${this.secretKey}`,
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': `pay-${_id.toHexString()}`,
      },
      body: form.toString(),
    });
    const intent = (await body.json()) as Intent;
    if (statusCode !== 200 || intent.status !== 'succeeded')
      throw new Error(`the provider answered ${JSON.stringify(intent)}`);
    return { intent_id: intent.id, charge_id: intent.latest_charge };
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

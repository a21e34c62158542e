import { Inject, Injectable } from '@nestjs/common';
import { Tokens } from '@commerce/identity';
import { type Caller } from '@commerce/data';
import { CONFIG, type Config } from '@commerce/platform';
import { copyWith, parseId } from '@commerce/records';

import type { PaymentMethodRecord } from './payment-method.record.js';
import { PaymentMethodStore } from './payment-method.store.js';

const PURPOSE = 'card';
const LIFETIME_S = 7 * 24 * 3600;

/** Links to the page on which a customer saves a card in one payment method. Each is signed and valid for seven days. */
@Injectable()
export class CardLinks {
  constructor(
    private readonly tokens: Tokens,
    private readonly store: PaymentMethodStore,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  /** Adds the link, which an admin sends to the customer, to a payment method without a card. */
  async withLink({ role }: Caller, method: PaymentMethodRecord): Promise<PaymentMethodRecord> {
    if (role !== 'admin' || method.setup_secret === null || method.deleted) return method;
    const claims = { subject: method._id.toHexString(), company: method.company.toHexString() };
    const token = await this.tokens.issueFor(PURPOSE, claims, LIFETIME_S);
    return copyWith(method, { setup_url: `${this.config.publicUrl}/cards/${token}` });
  }

  /** The payment method of a link's token, or the reason why there is none. */
  async methodOf(token: string): Promise<PaymentMethodRecord | 'expired' | 'invalid'> {
    const claims = await this.tokens.verifyFor(PURPOSE, token);
    if (typeof claims === 'string') return claims;
    const company = parseId(claims.company);
    const method = company === null ? null : await this.store.in(company).find(claims.subject);
    return method ?? 'invalid';
  }
}

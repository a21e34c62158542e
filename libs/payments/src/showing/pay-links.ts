import { Inject, Injectable } from '@nestjs/common';
import { Tokens } from '@commerce/identity';
import { type Shown } from '@commerce/data';
import { CONFIG, type Config } from '@commerce/platform';
import { copyWith, parseId } from '@commerce/records';

import { shownInEvent } from './client-secret.js';
import type { PaymentRecord } from '../payments/payment.record.js';
import { isWaiting, type PaymentChanges } from '../payments/payment.rules.js';
import { PaymentStore } from '../payments/payment.store.js';

const PURPOSE = 'pay';
const LIFETIME_S = 7 * 24 * 3600;

/** Links to the page on which a customer pays one payment. Each is signed and valid for seven days. */
@Injectable()
export class PayLinks {
  constructor(
    private readonly tokens: Tokens,
    private readonly store: PaymentStore,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  async urlOf({ _id, company }: Pick<PaymentRecord, '_id' | 'company'>): Promise<string> {
    const claims = { subject: _id.toHexString(), company: company.toHexString() };
    return `${this.config.publicUrl}/pay/${await this.tokens.issueFor(PURPOSE, claims, LIFETIME_S)}`;
  }

  /** The payment of a link's token, or the reason why there is none. */
  async paymentOf(token: string): Promise<PaymentRecord | 'expired' | 'invalid'> {
    const claims = await this.tokens.verifyFor(PURPOSE, token);
    if (typeof claims === 'string') return claims;
    const company = parseId(claims.company);
    const payment = company === null ? null : await this.store.in(company).find(claims.subject);
    return payment ?? 'invalid';
  }

  /** Adds the link, which an admin sends to the customer, to a payment that waits for somebody. */
  async withLink(payment: PaymentRecord): Promise<PaymentRecord> {
    if (!isWaiting(payment)) return payment;
    const pay_url = await this.urlOf(payment);
    return copyWith(payment, { pay_url });
  }

  /**
   * The fields that the event of a change shows beside the record: the secret and the link, where it asks for
   * authentication.
   */
  async shownInEvent(payment: PaymentRecord, changes: PaymentChanges): Promise<Shown | undefined> {
    const withSecret = shownInEvent(payment, changes);
    if (withSecret === undefined) return undefined;
    const pay_url = await this.urlOf(payment);
    return (object) => ({ ...withSecret(object), pay_url });
  }
}

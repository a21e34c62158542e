import { Injectable } from '@nestjs/common';
import type { Id } from '@commerce/records';

import { PaymentMethodStore } from '../methods/payment-method.store.js';
import type { PaymentAttempt, PaymentRecord } from '../payments/payment.record.js';
import { isCollected, isInFlight } from '../payments/payment.rules.js';
import { PaymentStore } from '../payments/payment.store.js';
import type { BookedIntent, CardProvider } from '../provider/card-provider.js';
import { ProviderCustomerStore } from '../provider/provider-customer.store.js';
import { RestoredPaymentWriter } from './restored-payment-writer.js';
import {
  isOfSameAmount,
  isOwnIntent,
  lostAttempt,
  owedBy,
  keyBeside,
  type LostOwner,
  type LostPayment,
  type TaggedIntent,
} from './restored-payment.js';

/**
 * The relation of an intent of the provider's books to ours. `known`: its payment counts it, or its current attempt
 * will. `lost`: no payment is known. `uncounted`: its payment, or the one for the same period, still waits for money.
 * `paid_twice`: that payment was collected by another intent. All others are left to time or to a person.
 */
export type Standing =
  | { readonly is: 'known' }
  | { readonly is: 'lost' }
  | {
      readonly is: 'uncounted' | 'paid_twice' | 'in_flight' | 'amount_differs' | 'unclear';
      readonly payment: PaymentRecord;
    };

/** Adds money to our books that the provider has collected and they do not know, as after a restore. */
@Injectable()
export class PaymentRestorer {
  constructor(
    private readonly store: PaymentStore,
    private readonly methods: PaymentMethodStore,
    private readonly customers: ProviderCustomerStore,
    private readonly writer: RestoredPaymentWriter,
  ) {}

  /** The user who paid; null where the database has lost them, too. */
  async payer(company: Id, { customer_id }: BookedIntent): Promise<Id | null> {
    if (customer_id === null) return null;
    // A customer that was replaced is still named by the payment methods saved for it.
    const customer = await this.customers.in(company).one({ customer_id });
    return (customer ?? (await this.methods.in(company).one({ customer_id })))?.user ?? null;
  }

  /**
   * Compares an intent with our books.
   * @throws ProviderUnavailable
   */
  async standing(account: CardProvider, intent: TaggedIntent): Promise<Standing> {
    const { company, ...owed } = owedBy(intent);
    const payments = this.store.in(company);
    const own = await payments.find(intent.tag.payment);
    if (own !== null && isOwnIntent(own, intent)) return KNOWN;
    if ((await payments.one({ ...owed, period_key: keyBeside(intent) })) !== null) return KNOWN;
    const payment = own ?? (await payments.one(owed));
    if (payment === null) return { is: 'lost' };
    if (isOwnIntent(payment, intent)) return KNOWN;
    if (isCollected(payment.status)) {
      const { intent_id } = payment.provider;
      const other = intent_id === null ? null : await account.intent(intent_id);
      return { is: other?.outcome.kind === 'succeeded' ? 'paid_twice' : 'unclear', payment };
    }
    if (isInFlight(payment.status)) return { is: 'in_flight', payment };
    return { is: isOfSameAmount(payment, intent) ? 'uncounted' : 'amount_differs', payment };
  }

  /**
   * Adds the money of a succeeded intent to our books, by its current standing: a lost payment is written back under
   * its own id, a waiting one counts the intent, and money for an amount already paid is refunded. Idempotent.
   */
  async bringIn(account: CardProvider, intent: TaggedIntent, owner: LostOwner): Promise<void> {
    const standing = await this.standing(account, intent);
    const lost: LostPayment = { intent, owner, attempt: await this.attemptOf(intent) };
    switch (standing.is) {
      case 'known':
        return;
      case 'lost':
        return this.writer.writeBack(lost, intent.owed.period_key);
      case 'uncounted': {
        const { payment } = standing;
        const isOwn = payment._id.toHexString() === intent.tag.payment;
        // An order accepts money from any of its payments.
        const isBeside = !isOwn && payment.order !== null;
        return isBeside ? this.writer.writeBack(lost, keyBeside(intent)) : this.writer.count(payment, lost);
      }
      case 'paid_twice':
        return this.writer.giveBack(standing.payment, lost);
      case 'in_flight':
      case 'amount_differs':
      case 'unclear':
        throw new Error(`payment ${standing.payment._id.toHexString()} has changed meanwhile; look again`);
    }
  }

  private async attemptOf(intent: TaggedIntent): Promise<PaymentAttempt> {
    const { company } = owedBy(intent);
    const { method_id } = intent;
    const method = method_id && (await this.methods.in(company).one({ payment_method_id: method_id }));
    return lostAttempt(intent, method === null || method === '' ? null : method._id);
  }
}

const KNOWN: Standing = { is: 'known' };

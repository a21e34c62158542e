import { isFault } from '@commerce/kernel';

import type { Receivable } from '../domain/receivable/receivable.js';
import {
  inFlight,
  inProcess,
  toAuthenticate,
  toRetry,
  type OpenPayment,
} from '../domain/receivable/open-payment.js';
import type { BillingPeriod, FrozenPrice } from '../domain/lines/billing-period.js';
import type { DerivedFields } from '../domain/lifecycle/subscription-state.js';
import { isSound } from '../domain/lines/books.js';
import { discounted } from '../domain/pricing/discount.js';
import type { ChangeQuote, Quote, StartQuote } from '../domain/lifecycle/quote.js';
import type { Subscribed } from '../domain/pricing/terms.js';
import {
  inMinor,
  openedPayment,
  type InMajor,
  type StoredPayment,
  type StoredPeriod,
  type StoredQuote,
} from './stored-amounts.js';
import type { StoredState } from './stored-state.js';

/** Reads the parts of a record, with amounts in minor units; names the field that is corrupted. */
export class StateReader {
  constructor(
    readonly record: StoredState,
    private readonly name: string,
  ) {}

  corrupted(field: keyof StoredState, why: string): Error {
    return new Error(`${this.name} is corrupted: ${field} ${why} while ${this.record.status}`);
  }

  required<K extends keyof StoredState>(field: K): NonNullable<StoredState[K]> {
    const value = this.record[field];
    if (value === null) throw this.corrupted(field, 'is missing');
    return value;
  }

  amount<K extends AmountField>(field: K): StoredState[K] {
    return this.reading(field, () => inMinor(this.record[field], this.record.currency));
  }

  derivedFields(): DerivedFields {
    const { current_billing_date_period_start, current_billing_date_period_end } = this.record;
    const { next_billing_date, collection_state, awaits_first_payment, due } = this.record;
    return {
      current_billing_date_period_start,
      current_billing_date_period_end,
      next_billing_date,
      collection_state,
      awaits_first_payment,
      due,
    };
  }

  receivable(): Receivable {
    const { currency, failed_attempts, last_billed_date, setup_due, setup_charged } = this.record;
    const { paid_before, collect_debt, debts, quotes, debt_taxes } = this.record;
    return {
      currency,
      outstanding_amount_minor: this.amount('outstanding_amount'),
      carried_amount_minor: this.amount('carried_amount'),
      failed_attempts,
      last_billed_date,
      last_billed_amount_minor: this.amount('last_billed_amount'),
      setup_due,
      setup_charged,
      paid_before,
      open_payments: this.record.open_payments.map((one) => this.openPayment(one)),
      collect_debt,
      debts,
      quotes,
      ...(debt_taxes === null ? {} : { debt_taxes }),
    };
  }

  subscribed(): Subscribed {
    const { plan, quantity, discount_terms: discount } = this.record;
    return { plan: plan.toHexString(), quantity, ...discounted(discount ?? undefined) };
  }

  changeQuote(): ChangeQuote | null {
    const { quote } = this.record;
    if (quote === null) return null;
    if (quote.of !== 'change') throw this.corrupted('quote', 'is of a start');
    return { ...quote, prices: this.pricesOf(quote) };
  }

  startQuote(): StartQuote | null {
    const { quote } = this.record;
    if (quote === null) return null;
    if (quote.of !== 'start') throw this.corrupted('quote', 'is of a change');
    return { ...quote, prices: this.pricesOf(quote) };
  }

  private pricesOf({ prices }: StoredQuote): Quote['prices'] {
    const { currency } = this.record;
    return this.reading('quote', () =>
      prices.map(({ price, ...one }) => ({ ...one, price: price && priceOf(price, currency) })),
    );
  }

  periods(): readonly BillingPeriod[] {
    const { periods, currency } = this.record;
    if (!periods.every(({ books }) => isSound(books))) {
      throw this.corrupted('periods', 'holds a book of less than nothing');
    }
    return this.reading('periods', () => periods.map((one) => periodOf(one, currency)));
  }

  private openPayment(stored: StoredPayment): OpenPayment {
    const opened = this.reading('open_payments', () => openedPayment(stored, this.record.currency));
    switch (stored.state) {
      case 'IN_FLIGHT':
        return inFlight(opened, opened.attempts);
      case 'PROCESSING':
        return inProcess(opened);
      case 'RETRYING':
        if (stored.retry_at === null) throw this.corrupted('open_payments', 'lacks its retry_at');
        return toRetry(opened, stored.retry_at);
      case 'REQUIRES_AUTH':
        return toAuthenticate(opened, stored.expires_at);
    }
  }

  private reading<T>(field: keyof StoredState, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!isFault(error)) throw error;
      throw this.corrupted(field, `holds no amount (${error.message})`);
    }
  }
}

type AmountField = 'outstanding_amount' | 'carried_amount' | 'last_billed_amount' | 'prorate_amount';

function periodOf({ terms, ...rest }: StoredPeriod, currency: string): BillingPeriod {
  return {
    ...rest,
    terms: terms.map(({ subscribed, price }) => ({ subscribed, price: price && priceOf(price, currency) })),
  };
}

function priceOf({ price, discounted: lower, ...rest }: InMajor<FrozenPrice>, currency: string): FrozenPrice {
  const discounted = lower && {
    from: lower.from,
    until: lower.until,
    price_minor: inMinor(lower.price, currency),
  };
  return { ...rest, price_minor: inMinor(price, currency), ...(discounted && { discounted }) };
}

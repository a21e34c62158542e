import { Injectable } from '@nestjs/common';
import { Companies } from '@commerce/identity';
import { localDay } from '@commerce/kernel';
import type { InvoiceDue } from '@commerce/payments';
import type { Id } from '@commerce/records';

import type { Conversion } from '../content/seller-tax.js';
import { ExchangeRateStore } from '../exchange-rates/exchange-rate.store.js';
import { vatCurrencyOf } from '../exchange-rates/vat-currency.js';
import { isSelling, type SellingCompany } from './parties.js';

/** Returns the conversion of a document; null where it needs none, undefined where its rate is not known. */
export type ConversionOf = (currency: string, date: Date) => Conversion | null | undefined;

interface Dated {
  readonly currency: string;
  readonly date: Date;
}

/** Rates between two other currencies than the euro have so many digits. */
const DIGITS = 10;

/** The sellers of documents, and the rates by which these state VAT in the seller's currency. */
@Injectable()
export class ExchangeRateReader {
  constructor(
    private readonly companies: Companies,
    private readonly rates: ExchangeRateStore,
  ) {}

  /** Null where the company has no seller any more. */
  async seller(company: Id): Promise<SellingCompany | null> {
    const found = await this.companies.get(company);
    return isSelling(found) ? found : null;
  }

  /** The conversions of documents that are due; each currency and day is read once. */
  async conversions(
    { _id, seller, timezone }: SellingCompany,
    documents: readonly Dated[],
  ): Promise<ConversionOf> {
    const own = vatCurrencyOf(seller.address.country);
    const keyOf = (currency: string, date: Date): string => `${currency} ${localDay(date, timezone)}`;
    const wanted = documents.filter(({ currency }) => own !== null && currency !== own);
    const found = new Map<string, Conversion | null>();
    for (const { currency, date } of wanted) {
      const key = keyOf(currency, date);
      if (!found.has(key))
        found.set(key, await this.conversion(_id, own ?? '', currency, localDay(date, timezone)));
    }
    return (currency, date) =>
      own === null || currency === own ? null : (found.get(keyOf(currency, date)) ?? undefined);
  }

  private async conversion(
    company: Id,
    own: string,
    currency: string,
    day: string,
  ): Promise<Conversion | null> {
    const [to, from] = [await this.euro(company, own, day), await this.euro(company, currency, day)];
    if (to === null || from === null) return null;
    const rate = own === 'EUR' ? from.rate : Number((from.rate / to.rate).toPrecision(DIGITS));
    const days = [to, from].map((one) => one.day).filter((one) => one !== '');
    return { currency: own, rate, day: days.sort()[0] ?? day };
  }

  /** What one euro is in a currency; the euro itself has no day. */
  private async euro(
    company: Id,
    currency: string,
    day: string,
  ): Promise<{ readonly rate: number; readonly day: string } | null> {
    return currency === 'EUR' ? { rate: 1, day: '' } : this.rates.lastUntil(company, currency, day);
  }
}

/** The documents of these rows, by the currencies of their payments. */
export function datedOf(
  rows: readonly InvoiceDue[],
  currencyOf: (payment: Id) => string | undefined,
): Dated[] {
  return rows.flatMap(({ payment, date }) => {
    const currency = currencyOf(payment);
    return currency === undefined ? [] : [{ currency, date }];
  });
}

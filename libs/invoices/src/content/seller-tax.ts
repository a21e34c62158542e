import {
  divideRatio,
  ratio,
  ratioOfDecimal,
  roundMoney,
  toMajor,
  toMinor,
  exponentOf,
  multiplyRatio,
} from '@commerce/kernel';

import type { InvoiceContent, SellerTax } from './invoice-content.js';

/** How an amount of a document becomes one of the seller's currency. */
export interface Conversion {
  /** That of the seller. */
  readonly currency: string;
  /** What one unit of it is in the currency of the document. */
  readonly rate: number;
  /** The day of the rate. */
  readonly day: string;
}

/** The VAT of a document in the seller's currency, rounded once. */
export function sellerTaxOf(
  { currency, totals }: Pick<InvoiceContent, 'currency' | 'totals'>,
  conversion: Conversion,
): SellerTax {
  const { currency: own, rate, day } = conversion;
  const scale = ratio(10 ** exponentOf(own), 10 ** exponentOf(currency));
  const exact = divideRatio(multiplyRatio(ratio(toMinor(totals.tax, currency)), scale), ratioOfDecimal(rate));
  return { currency: own, rate, day, tax: toMajor(roundMoney(exact, own), own) };
}

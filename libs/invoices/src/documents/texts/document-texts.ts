import type { TaxCategory } from '@commerce/kernel';

import type { InvoiceKind, LineReason } from '../../content/invoice-content.js';

/** The words of a document in one language. */
export interface DocumentTexts {
  readonly title: Readonly<Record<InvoiceKind, string>>;
  /** Above the address of the buyer. */
  readonly buyer: string;
  readonly date: string;
  readonly service_period: string;
  /** The day of the supply, where a document has no service period. */
  readonly supply_date: string;
  readonly customer: string;
  readonly subscription: string;
  readonly order: string;
  readonly preceding: string;
  readonly payment_reference: string;
  readonly vat_id: string;
  readonly tax_number: string;
  readonly email: string;
  readonly phone: string;
  readonly bank: string;
  readonly description: string;
  readonly quantity: string;
  readonly unit_price: string;
  readonly amount: string;
  /** Below a column of prices. */
  readonly prices: Readonly<Record<'inclusive' | 'exclusive', string>>;
  readonly discount: string;
  /** A discount that is known without VAT only. */
  readonly discount_without_tax: string;
  readonly reasons: Readonly<Record<LineReason, string>>;
  /** A part of the days of a period. */
  readonly days: (part: string, of: string) => string;
  /** A part of a period, as a percentage. */
  readonly share: (percent: string) => string;
  /** The short name of the tax. */
  readonly tax: string;
  readonly tax_rate: string;
  readonly net: string;
  readonly gross: string;
  readonly total: Readonly<Record<InvoiceKind, string>>;
  /** Why no VAT, or another party's, is due; null where the rate says it. */
  readonly categories: Readonly<Record<TaxCategory, string | null>>;
  /** The reason of an exempt supply whose seller is a small business. */
  readonly small_business: string;
  readonly paid_by_card: (date: string) => string;
  readonly paid_from_balance: string;
  readonly refunded_to_card: (date: string) => string;
  readonly credited_to_balance: string;
  readonly due: string;
  /** `{page}` and `{pages}` stand for the numbers. */
  readonly page: string;
}

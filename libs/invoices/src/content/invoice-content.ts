import { SUPPLY_REASONS, type SupplyShare, type TaxCategory } from '@commerce/kernel';

/**
 * The frozen content of an invoice or a credit note. Plain JSON: it is stored, shown and rendered unchanged. Amounts are
 * decimals in major units of `currency`, with no more decimals than that has; days are `YYYY-MM-DD` in the time zone of
 * the seller. The amounts of a credit note are positive, as those of the invoice that it corrects.
 */
export interface InvoiceContent {
  readonly kind: InvoiceKind;
  /** Unique in the company among those of its kind: `R2026-000123`. */
  readonly number: string;
  /** The day on which the payment, or the refund, succeeded, or the refund came back. */
  readonly issue_date: string;
  /** The language of the document and the form of its dates and amounts: `de` or `de-AT`. */
  readonly locale: string;
  readonly currency: string;
  /** Whether the prices that the lines show include VAT, as they were agreed. The net amounts never do. */
  readonly prices: 'inclusive' | 'exclusive';
  readonly seller: InvoiceSeller;
  readonly buyer: InvoiceBuyer;
  /** From the earliest to the latest day of the lines; null where none has one. */
  readonly service_period: ServicePeriod | null;
  /** At least one. */
  readonly lines: readonly InvoiceLine[];
  /** One entry for each country, category and rate, in ascending order of the rates; their sums are the totals. */
  readonly taxes: readonly InvoiceTax[];
  readonly totals: InvoiceTotals;
  /** The VAT in the currency of the seller's country; null where that is `currency`, or no VAT is due. */
  readonly seller_tax: SellerTax | null;
  /** Paid by the balance of the customer; on a credit note: given to it. Part of the gross total. */
  readonly credit_applied: number;
  /** Paid by card; on a credit note: given back to it. With `credit_applied` it is the gross total. */
  readonly paid: number;
  readonly payment: InvoicePayment;
  /** The subscription or order; null for a payment that has neither. */
  readonly subject: InvoiceSubject | null;
  /** The invoice that a credit note, or the invoice for a refund that came back, corrects; else null. */
  readonly preceding: PrecedingInvoice | null;
}

export const INVOICE_KINDS = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

export interface PostalAddress {
  readonly line1: string;
  readonly line2: string | null;
  readonly postal_code: string | null;
  readonly city: string | null;
  readonly region: string | null;
  /** ISO 3166-1 alpha-2, in upper case. */
  readonly country: string;
}

/** The company as it was when the invoice was made. */
export interface InvoiceSeller {
  readonly name: string;
  readonly address: PostalAddress;
  readonly vat_id: string | null;
  readonly tax_number: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** Bank details, as text. */
  readonly bank: string | null;
  readonly footer: string | null;
  /** Id of an image of the company. */
  readonly logo: string | null;
}

/** The customer as it was when the invoice was made. */
export interface InvoiceBuyer {
  /** Id of the user. */
  readonly id: string;
  /** The readable id of the user. */
  readonly human_id: string;
  /** Of the person; null where only a company is known. */
  readonly name: string | null;
  readonly company: string | null;
  /** Null where the user has none. */
  readonly address: PostalAddress | null;
  readonly vat_id: string | null;
  readonly email: string | null;
}

/** The first and the last day; both belong to the span. */
export interface ServicePeriod {
  readonly start: string;
  readonly end: string;
}

/** A supply at one rate. A product with parts at several rates has one line for each of them. */
export interface InvoiceLine {
  /** The name of the plan or of the products, in the words of the seller. */
  readonly description: string;
  /** Why the line is not the plain price of what it names; the document says it in its language. Null where it is. */
  readonly reason: LineReason | null;
  /** The part of the service period that is charged or credited; null for all of it. */
  readonly share: SupplyShare | null;
  readonly service_period: ServicePeriod | null;
  /** Above 0. */
  readonly quantity: number;
  /**
   * The price of one before the discount, by `prices` with VAT or without it; negative on a line that credits. Null
   * where the amount is no multiple of a price: then `quantity` is 1.
   */
  readonly unit_price: number | null;
  /** Before the discount, without VAT. */
  readonly subtotal: number;
  /** `subtotal - discount = net`; without VAT. */
  readonly discount: number;
  readonly net: number;
  /** This line's share of the VAT of its rate, and with it of the gross total: net + tax = gross. */
  readonly tax: number;
  readonly gross: number;
  readonly tax_category: TaxCategory;
  /** A fraction from 0 to 1. */
  readonly tax_rate: number;
  /** As `country` of its tax. */
  readonly tax_country: string | null;
}

/** `refund`: an amount given back, on a credit note; `refund_returned`: one that came back, on the invoice for it. */
export const LINE_REASONS = [...SUPPLY_REASONS, 'refund', 'refund_returned'] as const;
export type LineReason = (typeof LINE_REASONS)[number];

/** The VAT of one country, category and rate. net + tax = gross; the tax is rounded once, on the sum of the lines. */
export interface InvoiceTax {
  readonly category: TaxCategory;
  /** A fraction from 0 to 1. */
  readonly rate: number;
  /** The country whose VAT is due; that of the buyer where no VAT is due in the EU. Null where the rate was set by hand. */
  readonly country: string | null;
  /** Why no VAT, or another party's, is due: in words, and as a code of the VATEX list. Null at other rates. */
  readonly reason: string | null;
  readonly reason_code: string | null;
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
}

/** The VAT in the seller's currency, as Art. 230 of the VAT directive asks for it. */
export interface SellerTax {
  readonly currency: string;
  /** What one unit of it is in the currency of the document, of a day. */
  readonly rate: number;
  readonly day: string;
  readonly tax: number;
}

/** The sums of the lines, and of the taxes. */
export interface InvoiceTotals {
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
}

export const INVOICE_PAYMENT_METHODS = ['card', 'balance', 'card_and_balance', 'none'] as const;
export type InvoicePaymentMethod = (typeof INVOICE_PAYMENT_METHODS)[number];

export interface InvoicePayment {
  /** Id of the payment. */
  readonly id: string;
  /** `none`: nothing was to be paid. */
  readonly method: InvoicePaymentMethod;
  /** The day on which it succeeded. */
  readonly date: string;
  /** The card provider's reference; null where no card paid. */
  readonly reference: string | null;
  /** Key of the refund that the document is for; else null. */
  readonly refund: string | null;
}

export interface InvoiceSubject {
  readonly kind: 'subscription' | 'order';
  readonly id: string;
  readonly human_id: string;
}

export interface PrecedingInvoice {
  readonly number: string;
  readonly issue_date: string;
}

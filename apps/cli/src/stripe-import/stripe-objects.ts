import { isFault } from '@commerce/kernel';

import type { StripeInterval } from './stripe-units.js';

/**
 * The objects of Stripe's API, reduced to the fields that an import reads. A reference is an id or the expanded object.
 */
export interface StripeObject {
  readonly id: string;
  readonly object: string;
  readonly deleted?: boolean;
}

type Reference = string | { readonly id: string } | null | undefined;

interface StripeAddress {
  readonly line1?: string | null;
  readonly line2?: string | null;
  readonly postal_code?: string | null;
  readonly city?: string | null;
  readonly state?: string | null;
  readonly country?: string | null;
}

export interface StripeCustomer extends StripeObject {
  readonly object: 'customer';
  readonly name?: string | null;
  readonly email?: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly invoice_settings?: { readonly default_payment_method?: Reference };
  readonly default_source?: Reference;
  readonly discount?: StripeDiscount | null;
  readonly currency?: string | null;
  readonly balance?: number;
  readonly invoice_credit_balance?: Readonly<Record<string, number>>;
  readonly address?: StripeAddress | null;
  readonly shipping?: { readonly address?: StripeAddress | null } | null;
  readonly tax?: { readonly location?: { readonly country?: string | null } | null };
  readonly tax_exempt?: string | null;
  readonly tax_ids?: { readonly data: readonly StripeTaxId[] };
}

export interface StripeTaxId {
  readonly type?: string;
  readonly value?: string;
  readonly verification?: { readonly status?: string } | null;
}

export interface StripeProduct extends StripeObject {
  readonly object: 'product';
  readonly name: string;
  readonly description?: string | null;
  readonly active?: boolean;
  readonly default_price?: Reference;
  readonly shippable?: boolean | null;
  readonly tax_code?: Reference;
  readonly tax_details?: { readonly tax_code?: Reference; readonly performance_location?: Reference } | null;
}

/** A price in another of its currencies. */
export interface StripeCurrencyOption {
  readonly unit_amount?: number | null;
  readonly tax_behavior?: string | null;
}

export type StripeCurrencyOptions = Readonly<Record<string, StripeCurrencyOption>>;

export interface StripePrice extends StripeObject {
  readonly object: 'price';
  readonly currency: string;
  readonly unit_amount: number | null;
  readonly currency_options?: StripeCurrencyOptions;
  readonly billing_scheme?: string;
  readonly tax_behavior?: string | null;
  readonly transform_quantity?: object | null;
  readonly product: Reference;
  readonly recurring: (StripeInterval & { readonly usage_type?: string }) | null;
}

/** A rate of tax that the merchant set. */
export interface StripeTaxRate {
  readonly percentage?: number;
  readonly inclusive?: boolean;
}

/** An invoice, as far as it shows what Stripe Tax did. */
export interface StripeInvoice {
  readonly id: string;
  readonly currency?: string;
  readonly total?: number;
  readonly total_taxes?: readonly StripeTaxAmount[] | null;
  /** In older versions of the API. */
  readonly total_tax_amounts?: readonly StripeTaxAmount[] | null;
}

export interface StripeTaxAmount {
  readonly amount?: number;
  readonly taxable_amount?: number | null;
}

export interface StripeItem {
  readonly price: StripePrice;
  readonly quantity?: number;
  readonly current_period_end?: number;
  readonly billed_until?: number;
  readonly discounts?: readonly (string | StripeDiscount)[];
  readonly tax_rates?: readonly StripeTaxRate[] | null;
}

/** Since 2025, each item has its own period. */
export interface StripeSubscription extends StripeObject {
  readonly object: 'subscription';
  readonly status: string;
  readonly customer: Reference;
  readonly currency?: string;
  readonly items: { readonly data: readonly StripeItem[]; readonly has_more?: boolean };
  readonly start_date: number;
  readonly billing_cycle_anchor: number;
  readonly billing_cycle_anchor_config?: AnchorConfig | null;
  readonly current_period_end?: number;
  readonly trial_end: number | null;
  readonly trial_settings?: { readonly end_behavior?: { readonly missing_payment_method?: string } } | null;
  readonly cancel_at: number | null;
  readonly cancel_at_period_end: boolean;
  readonly default_payment_method?: Reference;
  readonly default_source?: Reference;
  readonly pause_collection?: { readonly behavior?: string; readonly resumes_at?: number | null } | null;
  readonly discount?: StripeDiscount | null;
  readonly discounts?: readonly (string | StripeDiscount)[];
  readonly automatic_tax?: { readonly enabled: boolean };
  readonly default_tax_rates?: readonly StripeTaxRate[] | null;
  readonly tax_percent?: number | null;
  readonly latest_invoice?: string | StripeInvoice | null;
  readonly presentment_details?: { readonly presentment_currency?: string };
}

/** The day, and the time in UTC, on which periods begin. */
export interface AnchorConfig {
  readonly day_of_month: number;
  readonly month?: number | null;
  readonly hour?: number | null;
  readonly minute?: number | null;
  readonly second?: number | null;
}

export interface StripeCoupon extends StripeObject {
  readonly object: 'coupon';
  readonly name?: string | null;
  readonly duration: string;
  readonly duration_in_months?: number | null;
  readonly percent_off?: number | null;
  readonly amount_off?: number | null;
  readonly currency?: string | null;
  readonly currency_options?: Readonly<Record<string, { readonly amount_off: number }>>;
  readonly applies_to?: { readonly products: readonly string[] };
}

/** Since 2025, its coupon is its source. */
export interface StripeDiscount {
  readonly source?: { readonly coupon?: string | StripeCoupon | null };
  readonly coupon?: string | StripeCoupon | null;
  readonly start: number;
  readonly end?: number | null;
}

export type ImportedObject = StripeCustomer | StripeProduct | StripePrice | StripeCoupon | StripeSubscription;

const KINDS: ReadonlySet<unknown> = new Set(['customer', 'product', 'price', 'coupon', 'subscription']);

export function isImportedKind(value: unknown): value is ImportedObject['object'] {
  return KINDS.has(value);
}

/** True when an import reads the object, which may still lack required fields. */
export function isImported(value: unknown): value is ImportedObject {
  const { object, id } = (value ?? {}) as Partial<StripeObject>;
  return isImportedKind(object) && typeof id === 'string' && id !== '';
}

/** What an import relies on in each kind of object, besides the id. */
const SHAPES: {
  readonly [K in ImportedObject['object']]: (from: Partial<ImportedObject & { object: K }>) => string[];
} = {
  customer: () => [],
  product: ({ name }) => wrong({ name }, 'string'),
  price: (from) => priceProblems(from),
  coupon: ({ duration }) => wrong({ duration }, 'string'),
  subscription: ({ status, start_date, billing_cycle_anchor, items }) => [
    ...wrong({ status }, 'string'),
    ...wrong({ start_date, billing_cycle_anchor }, 'number'),
    ...(Array.isArray(items?.data)
      ? items.data.flatMap((item: Partial<StripeItem> | null) => priceProblems(item?.price ?? {}))
      : ['items']),
  ],
};

/** Names the fields without which an object cannot be imported; null when it has them. */
export function shapeProblem(from: ImportedObject): string | null {
  if (from.deleted === true) return null;
  const shape = SHAPES[from.object] as (from: Partial<ImportedObject>) => string[];
  const names = [...new Set(shape(from))];
  return names.length === 0 ? null : `it is no ${from.object} of Stripe's API: see its ${names.join(', ')}`;
}

/**
 * The members of a list that may be left out.
 * @throws TypeError where something else is in its place
 */
export function listed<T>(list: readonly T[] | null | undefined): readonly T[] {
  if (list === null || list === undefined) return [];
  if (!Array.isArray(list)) throw new TypeError('it is no list');
  return list as readonly T[];
}

/** Reads an object of Stripe. Returns the reason as text where a field has another form than in Stripe's API. */
export function readable<T>({ object }: StripeObject, read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (isFault(error)) return error.message;
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return `it is no ${object} of Stripe's API: one of its fields has another form`;
  }
}

function priceProblems({ id, currency, unit_amount }: Partial<StripePrice>): string[] {
  return [...wrong({ id, currency }, 'string'), ...(unit_amount === undefined ? ['unit_amount'] : [])];
}

function wrong(fields: Readonly<Record<string, unknown>>, type: 'string' | 'number'): string[] {
  return Object.entries(fields).flatMap(([name, value]) => (typeof value === type ? [] : [name]));
}

/** The id of a reference, expanded or not. */
export function idOf(reference: Reference): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

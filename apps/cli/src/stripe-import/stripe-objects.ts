/**
 * The objects of Stripe's API, reduced to the fields that an import reads. A reference is an id or the expanded object.
 */
export interface StripeObject {
  readonly id: string;
  readonly object: string;
  readonly deleted?: boolean;
}

type Reference = string | { readonly id: string } | null | undefined;

export interface StripeCustomer extends StripeObject {
  readonly object: 'customer';
  readonly name?: string | null;
  readonly email?: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly invoice_settings?: { readonly default_payment_method?: Reference };
}

export interface StripeProduct extends StripeObject {
  readonly object: 'product';
  readonly name: string;
  readonly description?: string | null;
  readonly active?: boolean;
  readonly default_price?: Reference;
}

export interface StripePrice extends StripeObject {
  readonly object: 'price';
  readonly currency: string;
  readonly unit_amount: number | null;
  readonly billing_scheme?: string;
  readonly tax_behavior?: string | null;
  readonly transform_quantity?: object | null;
  readonly product: Reference;
  readonly recurring: {
    readonly interval: string;
    readonly interval_count: number;
    readonly usage_type?: string;
  } | null;
}

export interface StripeItem {
  readonly price: StripePrice;
  readonly quantity?: number;
  readonly current_period_end?: number;
  readonly discounts?: readonly unknown[];
  readonly tax_rates?: readonly unknown[] | null;
}

/** Since 2025, each item has its own period. */
export interface StripeSubscription extends StripeObject {
  readonly object: 'subscription';
  readonly status: string;
  readonly customer: Reference;
  readonly items: { readonly data: readonly StripeItem[]; readonly has_more?: boolean };
  readonly start_date: number;
  readonly billing_cycle_anchor: number;
  readonly current_period_end?: number;
  readonly trial_end: number | null;
  readonly cancel_at: number | null;
  readonly cancel_at_period_end: boolean;
  readonly default_payment_method?: Reference;
  readonly collection_method?: string;
  readonly pause_collection?: object | null;
  readonly schedule?: Reference;
  readonly discount?: object | null;
  readonly discounts?: readonly unknown[];
  readonly automatic_tax?: { readonly enabled: boolean };
  readonly default_tax_rates?: readonly unknown[] | null;
  readonly application_fee_percent?: number | null;
  readonly transfer_data?: object | null;
  readonly on_behalf_of?: Reference;
  readonly pending_update?: object | null;
}

export type ImportedObject = StripeCustomer | StripeProduct | StripePrice | StripeSubscription;

const KINDS: ReadonlySet<unknown> = new Set(['customer', 'product', 'price', 'subscription']);

/** True when an import reads the object, which may still lack required fields. */
export function isImported(value: unknown): value is ImportedObject {
  const { object, id } = (value ?? {}) as Partial<StripeObject>;
  return KINDS.has(object) && typeof id === 'string' && id !== '';
}

/** The id of a reference, expanded or not. */
export function idOf(reference: Reference): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

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

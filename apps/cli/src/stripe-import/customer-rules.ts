import { vatIdProblem, type TaxBuyer } from '@commerce/kernel';

import { CUSTOMER_FIELDS } from './fields/customer-fields.js';
import { isSet, refusalsOf } from './fields/field-table.js';
import { idOf, type StripeCustomer, type StripeDiscount } from './stripe-objects.js';

/** The facts of a customer that its subscriptions need. */
export interface CarriedCustomer {
  /** The payment method of its invoices. */
  readonly method: string | null;
  readonly discount: StripeDiscount | null;
  /** Why its subscriptions stay at Stripe. */
  readonly why: readonly string[];
  readonly buyer: TaxBuyer;
  readonly is_tax_exempt: boolean;
  /** The country that Stripe Tax takes. */
  readonly tax_country: string | null;
}

/** The customer's data on invoices, as the body of a user has it; null where Stripe has none. */
export interface CarriedBilling {
  readonly address: object | null;
  readonly vat_id: string | null;
}

/** Reads the facts of a customer that its subscriptions need. */
export function customerOf(from: StripeCustomer): CarriedCustomer {
  const country = from.address?.country ?? null;
  return {
    method: idOf(from.invoice_settings?.default_payment_method) ?? idOf(from.default_source),
    discount: from.discount ?? null,
    why: refusals(from),
    buyer: { country, vat_id: billingOf(from)?.vat_id ?? null },
    is_tax_exempt: !['none', null].includes(from.tax_exempt ?? null),
    tax_country: from.tax?.location?.country ?? from.shipping?.address?.country ?? country,
  };
}

/** The address needs a country, and a VAT id must be one of that country. */
export function billingOf({ address, tax_ids, name }: StripeCustomer): CarriedBilling | null {
  const country = address?.country ?? null;
  const given = tax_ids?.data.find(({ type }) => type === 'eu_vat')?.value ?? null;
  const vat_id = given === null || vatIdProblem(given, country) !== null ? null : given;
  if (country === null && vat_id === null) return null;
  const { line1, line2, city, postal_code, state } = address ?? {};
  const place = {
    // An address at Stripe may have no street.
    line1: [line1, city, postal_code, name, country].find(isSet),
    line2: line2 ?? null,
    postal_code: postal_code ?? null,
    city: city ?? null,
    region: state ?? null,
    country,
  };
  return { address: country === null ? null : place, vat_id };
}

function refusals(from: StripeCustomer): string[] {
  const balances = [from.balance, ...Object.values(from.invoice_credit_balance ?? {})];
  return [
    ...refusalsOf(CUSTOMER_FIELDS, from, 'its customer'),
    ...(balances.some(isSet) ? ['its customer has a balance'] : []),
  ];
}

import { vatIdProblem, type TaxBuyer } from '@commerce/kernel';

import { CUSTOMER_FIELDS } from './fields/customer-fields.js';
import { isSet, refusalsOf } from './fields/field-table.js';
import { idOf, type StripeCustomer, type StripeDiscount, type StripeTaxId } from './stripe-objects.js';
import { majorAmount } from './stripe-units.js';

/** The facts of a customer that its subscriptions need. */
export interface CarriedCustomer {
  /** The payment method of its invoices. */
  readonly method: string | null;
  readonly discount: StripeDiscount | null;
  /** What Stripe takes off its next invoices, in major units. */
  readonly credits: readonly CarriedCredit[];
  /** The currency of its only balance in the export; null where that is not one of several. */
  readonly balance_currency: string | null;
  /** Why its subscriptions stay at Stripe. */
  readonly why: readonly string[];
  readonly buyer: TaxBuyer;
  readonly is_tax_exempt: boolean;
  /** The country that Stripe Tax takes. */
  readonly tax_country: string | null;
}

/** An amount in the favour of a customer, in major units. */
export interface CarriedCredit {
  readonly currency: string;
  readonly amount: number;
}

/** The customer's data on invoices, as the body of a user has it; null where Stripe has none. */
export interface CarriedBilling {
  readonly address: object | null;
  readonly vat_id: string | null;
}

/** Reads the facts of a customer that its subscriptions need. */
export function customerOf(from: StripeCustomer): CarriedCustomer {
  const country = from.address?.country ?? null;
  const credits = creditsOf(from);
  return {
    method: idOf(from.invoice_settings?.default_payment_method) ?? idOf(from.default_source),
    discount: from.discount ?? null,
    balance_currency: from.invoice_credit_balance === undefined ? (from.currency ?? null) : null,
    credits: typeof credits === 'string' ? [] : credits,
    why: [
      ...refusalsOf(CUSTOMER_FIELDS, from, 'its customer'),
      ...(typeof credits === 'string' ? [credits] : []),
    ],
    buyer: { country, vat_id: billingOf(from)?.vat_id ?? null },
    is_tax_exempt: !['none', null].includes(from.tax_exempt ?? null),
    tax_country: from.tax?.location?.country ?? from.shipping?.address?.country ?? country,
  };
}

/** The address needs a country, and a VAT id must be one of that country. */
export function billingOf({ address, tax_ids, name }: StripeCustomer): CarriedBilling | null {
  const country = address?.country ?? null;
  const given = tax_ids?.data.find((one) => isVatId(one) && !isDisproved(one))?.value ?? null;
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

/** The VAT ids that Stripe found in no register: reverse charge would rest on them. */
export function disprovedVatIds({ tax_ids }: StripeCustomer): string[] {
  return (tax_ids?.data ?? [])
    .filter((one) => isVatId(one) && isDisproved(one))
    .map(({ value }) => String(value));
}

function isVatId({ type }: StripeTaxId): boolean {
  return type === 'eu_vat';
}

function isDisproved({ verification }: StripeTaxId): boolean {
  return verification?.status === 'unverified';
}

/** The reason where the balance is no credit. */
function creditsOf({
  balance = 0,
  currency = null,
  invoice_credit_balance,
}: StripeCustomer): CarriedCredit[] | string {
  // A balance in one currency has the other sign, and repeats that of all currencies.
  const amounts = isSet(invoice_credit_balance) ? invoice_credit_balance : { [currency ?? '']: -balance };
  const entries = Object.entries(amounts ?? {}).filter(([, amount]) => amount !== 0);
  if (entries.some(([, amount]) => amount < 0)) return 'its customer owes an amount at Stripe';
  const credits: CarriedCredit[] = [];
  for (const [code, amount] of entries) {
    const name = code.toUpperCase();
    const major = majorAmount(amount, name);
    if (typeof major === 'string') return `its customer has a balance: ${major}`;
    credits.push({ currency: name, amount: major });
  }
  return credits;
}

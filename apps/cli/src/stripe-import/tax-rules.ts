import { decideTax, type TaxBehavior, type TaxBuyer, type TaxSeller } from '@commerce/kernel';

import { isSet } from './fields/field-table.js';
import type { CarriedCustomer } from './customer-rules.js';
import { idOf, type StripeItem, type StripeProduct, type StripeSubscription } from './stripe-objects.js';

/** How the tax of the company is found; a null seller stands for rates that are set by hand. */
export interface CompanyTax {
  readonly behavior: TaxBehavior;
  readonly seller: TaxSeller | null;
}

/** A tax on prices. A null rate is one that the export does not say. */
interface Tax {
  /** A fraction. */
  readonly rate: number | null;
  readonly is_inclusive: boolean;
}

/** Stripe's codes of products at the standard rate: the defaults, software and electronic services. */
const STANDARD_CODES = new Set([
  'txcd_10000000',
  'txcd_10010001',
  'txcd_10103000',
  'txcd_10103001',
  'txcd_10103100',
  'txcd_10103101',
  'txcd_20030000',
  'txcd_99999999',
]);

/** Why Stripe Tax may have another rate for a product than the standard one; null for one at the standard rate. */
export function taxCodeProblem({ id, tax_code, tax_details }: StripeProduct): string | null {
  const code = idOf(tax_details?.tax_code) ?? idOf(tax_code);
  if (idOf(tax_details?.performance_location) !== null) return `${id} is taxed where it is performed`;
  return code === null || STANDARD_CODES.has(code)
    ? null
    : `${id} has a tax code that is not understood: ${code}`;
}

/**
 * Why a subscription would be taxed differently here.
 * @param items priced in the currency of the subscription
 * @param at the start of the next period
 */
export function taxRefusals(
  from: StripeSubscription,
  items: readonly StripeItem[],
  customer: CarriedCustomer,
  company: CompanyTax,
  at: Date,
): string[] {
  const there = items.map((item) => taxOf(from, item));
  if (there.some((tax) => typeof tax === 'string')) return there.filter((tax) => typeof tax === 'string');
  const taxes = there.filter((tax) => typeof tax !== 'string').map((tax) => exempted(tax, customer));
  const here = taxHere(company, customer.buyer, at);
  const isAutomatic = from.automatic_tax?.enabled === true;
  const why = taxes.flatMap((tax) => difference(tax, here, company, customer) ?? []);
  if (isAutomatic && company.seller !== null && customer.tax_country !== customer.buyer.country) {
    why.push("Stripe Tax takes another country than that of its customer's address");
  }
  return why;
}

function difference(
  there: Tax,
  here: Tax & { rate: number },
  { seller }: CompanyTax,
  { is_tax_exempt }: CarriedCustomer,
): string | null {
  const added = there.is_inclusive ? 0 : there.rate;
  const added_here = here.is_inclusive ? 0 : here.rate;
  if (added === null) return 'Stripe Tax adds a tax whose rate is not in the export';
  if (added !== added_here) {
    return `Stripe adds ${percent(added)} tax to its prices, this company ${percent(added_here)}`;
  }
  if (is_tax_exempt && here.rate > 0) return 'its customer is exempt from tax at Stripe, and not here';
  if (!there.is_inclusive || there.rate === 0) return null;
  if (seller === null) return 'its prices include a tax at Stripe, and this company has tax.mode manual';
  return there.rate === null || there.rate === here.rate
    ? null
    : `its prices include ${percent(there.rate)} tax at Stripe, and ${percent(here.rate)} here`;
}

function taxHere({ behavior, seller }: CompanyTax, buyer: TaxBuyer, at: Date): Tax & { rate: number } {
  const is_inclusive = behavior === 'inclusive';
  // Imported products have no VAT of their own.
  if (seller === null) return { rate: 0, is_inclusive };
  const sold = { tax_category: 'standard', tax_supply: 'services' } as const;
  return { rate: decideTax(seller, buyer, sold, at).vat, is_inclusive };
}

/** The tax of an item at Stripe; the reason where its rates do not fit together. */
function taxOf(from: StripeSubscription, { price, tax_rates }: StripeItem): Tax | string {
  const is_inclusive = price.tax_behavior === 'inclusive';
  if (from.automatic_tax?.enabled === true) return { rate: null, is_inclusive };
  const rates = isSet(tax_rates) ? tax_rates : from.default_tax_rates;
  if (!isSet(rates)) return { rate: (from.tax_percent ?? 0) / 100, is_inclusive: false };
  const [first, ...others] = (rates ?? []).map(({ inclusive }) => inclusive === true);
  if (others.some((one) => one !== first)) return 'its tax rates are inclusive and exclusive';
  const sum = (rates ?? []).reduce((total, { percentage }) => total + (percentage ?? Number.NaN), 0);
  if (Number.isNaN(sum)) return 'its tax rates are not expanded';
  return { rate: Math.round(sum * 1e4) / 1e6, is_inclusive: first === true };
}

function exempted(tax: Tax, { is_tax_exempt }: CarriedCustomer): Tax {
  return is_tax_exempt ? { ...tax, rate: 0 } : tax;
}

function percent(rate: number): string {
  return rate === 0 ? 'no' : `${String(Math.round(rate * 1e6) / 1e4)} %`;
}

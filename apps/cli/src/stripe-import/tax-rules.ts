import { decideTax, type TaxBehavior, type TaxSeller } from '@commerce/kernel';

import { numberOf } from './stripe-units.js';
import type { CarriedCustomer } from './customer-rules.js';
import { refusalsOf } from './fields/field-table.js';
import { TAX_RATE_FIELDS } from './fields/subscription-fields.js';
import {
  idOf,
  listed,
  type StripeInvoice,
  type StripeItem,
  type StripeProduct,
  type StripeSubscription,
} from './stripe-objects.js';

/** How the tax of the company is found. */
export interface CompanyTax {
  readonly behavior: TaxBehavior;
  /** Null stands for rates that are set by hand. */
  readonly seller: TaxSeller | null;
  /** Whether the VAT of a plan without items must be said: 0 is no rate that stands for none. */
  readonly must_say_vat: boolean;
}

/** The tax of a plan. */
export interface CarriedTax {
  /** Of the whole plan, where `has_own_vat`; null: Stripe does not say it. */
  readonly vat: number | null;
  readonly has_own_vat: boolean;
  /** The rate of what is added to prices; 0 for none. */
  readonly added: number;
}

/** A tax on prices. */
interface Tax {
  /** A fraction. Null: Stripe Tax decides it. */
  readonly rate: number | null;
  readonly is_inclusive: boolean;
  /** Whether Stripe states a rate, which may be 0. */
  readonly is_said: boolean;
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
 * The tax of a subscription's plan; the reasons where it would be taxed differently here.
 * @param items priced in the currency of the subscription
 * @param at the start of the next period
 */
export function taxOf(
  from: StripeSubscription,
  items: readonly StripeItem[],
  customer: CarriedCustomer,
  company: CompanyTax,
  at: Date,
): CarriedTax | string[] {
  const taxes: Tax[] = [];
  const refused: string[] = [];
  for (const item of items) {
    const tax = taxOfItem(from, item);
    if (Array.isArray(tax)) refused.push(...tax);
    else taxes.push(exempted(tax, customer));
  }
  if (refused.length > 0) return refused;
  return company.seller === null
    ? taxByHand(taxes, customer, company)
    : taxByRules(from, taxes, customer, { ...company, seller: company.seller, at });
}

/** The rate that Stripe states becomes that of the plan, in or on top of its price as there. */
function taxByHand(
  taxes: readonly Tax[],
  { is_tax_exempt }: CarriedCustomer,
  { behavior, must_say_vat }: CompanyTax,
): CarriedTax | string[] {
  const [tax = NONE, ...others] = taxes;
  const { rate, is_inclusive, is_said } = tax;
  if (rate === null) return ['Stripe Tax decides its tax, and this company has tax.mode manual'];
  if (others.some((one) => one.rate !== rate || (rate > 0 && one.is_inclusive !== is_inclusive))) {
    return ['its items have different taxes'];
  }
  if (is_tax_exempt && taxes.some((one) => one.is_inclusive)) {
    return ['its customer is exempt from a tax that its prices include'];
  }
  const adds = behavior === 'exclusive';
  if (rate > 0 && is_inclusive === adds) {
    return [
      is_inclusive
        ? `its prices include ${percent(rate)} tax at Stripe, and this company adds it`
        : `Stripe adds ${percent(rate)} tax to its prices, and those of this company include it`,
    ];
  }
  const vat = is_said ? rate : null;
  return { vat, has_own_vat: must_say_vat || rate > 0, added: adds ? rate : 0 };
}

/** The seller, and the start of the next period. */
interface Ruled extends CompanyTax {
  readonly seller: TaxSeller;
  readonly at: Date;
}

/** The tax that this company decides must be that of Stripe. */
function taxByRules(
  from: StripeSubscription,
  taxes: readonly Tax[],
  customer: CarriedCustomer,
  { behavior, seller, at }: Ruled,
): CarriedTax | string[] {
  const sold = { tax_category: 'standard', tax_supply: 'services' } as const;
  const { vat: rate } = decideTax(seller, customer.buyer, sold, at);
  const here = { rate, is_inclusive: behavior === 'inclusive' };
  const isAutomatic = from.automatic_tax?.enabled === true;
  const there = isAutomatic ? automatic(from, taxes, here.rate) : taxes;
  if (typeof there === 'string') return [there];
  const why = there.flatMap((tax) => difference(tax, here, customer) ?? []);
  if (isAutomatic && customer.tax_country !== customer.buyer.country) {
    why.push("Stripe Tax takes another country than that of its customer's address");
  }
  return why.length > 0 ? why : { vat: null, has_own_vat: false, added: here.is_inclusive ? 0 : here.rate };
}

/** The taxes with the rate of Stripe Tax where its latest invoice shows that it is this one; the reason where it is not. */
function automatic(
  { latest_invoice }: StripeSubscription,
  taxes: readonly Tax[],
  rate: number,
): readonly Tax[] | string {
  if (taxes.every((tax) => tax.rate !== null)) return taxes;
  const isInvoiced = invoicedAt(latest_invoice ?? null, rate, taxes.length);
  if (isInvoiced === false) {
    return `Stripe Tax found another tax for its latest invoice than this company: ${percent(rate)}`;
  }
  if (isInvoiced === null) {
    // In the price it changes no amount.
    return taxes.every(({ is_inclusive }) => is_inclusive)
      ? taxes
      : 'Stripe Tax adds a tax that its latest invoice does not show: expand latest_invoice';
  }
  return taxes.map((tax) => ({ ...tax, rate }));
}

/** Whether an invoice of so many lines has a tax of this rate; null where it does not show it. */
function invoicedAt(invoice: string | StripeInvoice | null, rate: number, lines: number): boolean | null {
  if (invoice === null || typeof invoice === 'string' || !((invoice.total ?? 0) > 0)) return null;
  const taxes = invoice.total_taxes ?? invoice.total_tax_amounts ?? [];
  if (taxes.length === 0 || taxes.some((tax) => typeof tax.taxable_amount !== 'number')) return null;
  const sum = (field: 'amount' | 'taxable_amount'): number =>
    taxes.reduce((total, tax) => total + (tax[field] ?? 0), 0);
  // Each line may have been rounded by itself.
  return Math.abs(sum('amount') - sum('taxable_amount') * rate) <= lines / 2;
}

function difference(
  there: Tax,
  here: { readonly rate: number; readonly is_inclusive: boolean },
  { is_tax_exempt }: CarriedCustomer,
): string | null {
  const added = there.is_inclusive ? 0 : (there.rate ?? 0);
  const added_here = here.is_inclusive ? 0 : here.rate;
  if (added !== added_here) {
    return `Stripe adds ${percent(added)} tax to its prices, this company ${percent(added_here)}`;
  }
  if (is_tax_exempt && here.rate > 0) return 'its customer is exempt from tax at Stripe, and not here';
  if (!there.is_inclusive || there.rate === 0 || there.rate === null) return null;
  return there.rate === here.rate
    ? null
    : `its prices include ${percent(there.rate)} tax at Stripe, and ${percent(here.rate)} here`;
}

const NONE: Tax = { rate: 0, is_inclusive: false, is_said: false };

/** The tax of an item at Stripe; the reasons where its rates do not fit together. */
function taxOfItem(from: StripeSubscription, { price, tax_rates }: StripeItem): Tax | string[] {
  if (from.automatic_tax?.enabled === true) {
    return { rate: null, is_inclusive: price.tax_behavior === 'inclusive', is_said: true };
  }
  const own = listed(tax_rates);
  const rates = own.length > 0 ? own : listed(from.default_tax_rates);
  if (rates.length === 0) {
    const percentage = from.tax_percent ?? null;
    return percentage === null ? NONE : { ...NONE, rate: fractionOf(percentage), is_said: true };
  }
  if (rates.some((rate) => typeof rate === 'string' || rate.percentage === undefined)) {
    return ['its tax rates are not expanded'];
  }
  const refused = rates.flatMap((rate) => refusalsOf(TAX_RATE_FIELDS, rate, 'its tax rate'));
  if (refused.length > 0) return refused;
  const [first, ...others] = rates.map(({ inclusive }) => inclusive === true);
  if (others.some((one) => one !== first)) return ['its tax rates are inclusive and exclusive'];
  const sum = rates.reduce((total, { percentage }) => total + numberOf(percentage ?? 0), 0);
  return { rate: fractionOf(sum), is_inclusive: first === true, is_said: true };
}

function fractionOf(percentage: number): number {
  return Math.round(numberOf(percentage) * 1e4) / 1e6;
}

function exempted(tax: Tax, { is_tax_exempt }: CarriedCustomer): Tax {
  return is_tax_exempt ? { ...tax, rate: 0, is_said: true } : tax;
}

function percent(rate: number): string {
  return rate === 0 ? 'no' : `${String(Math.round(rate * 1e6) / 1e4)} %`;
}

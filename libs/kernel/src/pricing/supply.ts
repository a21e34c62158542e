import { minorStep } from '../money/currency.js';
import { splitByWeights } from '../money/split.js';

/**
 * The categories of EN 16931 (UNCL 5305): standard or reduced rate, zero rate, exempt, reverse charge, supply of goods
 * within the EU, export, outside the scope of VAT.
 */
export const TAX_CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];

/** The tax of a supply. */
export interface SupplyTax {
  readonly category: TaxCategory;
  /** A fraction from 0 to 1. */
  readonly rate: number;
  /** Why no VAT, or another party's, is due: in words, and as a code of the VATEX list. Null at other rates. */
  readonly reason: string | null;
  readonly reason_code: string | null;
  /** The country whose VAT is due; that of the buyer where no VAT is due in the EU. Absent where the rate is set by hand. */
  readonly country?: string;
  /** The VAT id of the buyer on which it depends that no VAT is due; absent where it depends on none. */
  readonly vat_id?: string;
}

/** The rule of the tax law that a decided tax follows. */
export type TaxRule =
  | 'domestic'
  | 'oss'
  | 'origin'
  | 'reverse_charge'
  | 'intra_community'
  | 'export'
  | 'outside_scope'
  | 'exempt'
  | 'small_business';

/** The tax basis: why a decided rate is what it is. Plain JSON: it is stored with what is charged. Absent where the rate is set by hand. */
export interface TaxBasis extends Omit<SupplyTax, 'rate'> {
  readonly rule: TaxRule;
  readonly country: string;
  /** The country of the address that the customer gave, where the country of the card contradicts it and has the higher rate. */
  readonly contradicts?: string;
  /** The category of the product, where the standard rate stands in for one that is not known. */
  readonly standard_for?: string;
}

/** A part of an amount at one rate of tax. */
export interface TaxShare {
  readonly rate: number;
  readonly tax?: TaxBasis;
  /** 0 or more; amounts are divided in proportion to it. */
  readonly weight: number;
}

/**
 * Why a supply is not the plain price of what it names. `setup_fee`: once, at the start. `used`, `unused`, `rest`: days
 * of a period that were used, were not (credited), or remained from a change or resume on. `debt`: what earlier payments
 * did not collect. `charged_before`: charged by an earlier payment. `not_collected`: of a credit or of the other supplies,
 * what no payment collected. `restored`: the books were lost, and only the amount is known.
 */
export const SUPPLY_REASONS = [
  'setup_fee',
  'used',
  'unused',
  'rest',
  'debt',
  'charged_before',
  'not_collected',
  'restored',
] as const;
export type SupplyReason = (typeof SUPPLY_REASONS)[number];

/** `part` of `of` days or seconds. */
export interface SupplyShare {
  readonly part: number;
  readonly of: number;
  readonly unit: 'day' | 'second';
}

/** One thing that a payment is for, at one rate of tax. A product with parts at several rates has one for each. */
export interface Supply {
  /** The name of the plan or of the products. */
  readonly name: string;
  readonly reason: SupplyReason | null;
  /** The part of the period that is charged or credited; null for all of it. */
  readonly share: SupplyShare | null;
  /** From the start to before the end; null where none is known. */
  readonly period: { readonly start: Date; readonly end: Date } | null;
  readonly quantity: number;
  /** The price of one before the discount; null where the amount is no multiple of a price. */
  readonly unit_minor: number | null;
  /** Before the discount. */
  readonly subtotal_minor: number;
  /** After the discount; negative for a credit. */
  readonly total_minor: number;
  readonly tax: SupplyTax;
}

/** The supplies at one rate. */
export interface NamedRate extends TaxShare {
  readonly name: string;
}

/** The tax of a rate. Without a basis it is set by hand: nothing says why a rate is 0, so it counts as a zero rate. */
export function taxOfRate(rate: number, basis?: TaxBasis): SupplyTax {
  if (basis === undefined) return { category: rate > 0 ? 'S' : 'Z', rate, reason: null, reason_code: null };
  const { category, reason, reason_code, country, vat_id } = basis;
  return { category, rate, reason, reason_code, country, ...(vat_id === undefined ? {} : { vat_id }) };
}

/**
 * Names the VAT group of a rate: amounts of one group are taxed together. It is the country, the rate and the category,
 * and the reason of an amount without VAT.
 */
export function taxGroupOf({ rate, tax }: Pick<TaxShare, 'rate' | 'tax'>): string {
  if (tax === undefined) return String(rate);
  return [rate, tax.category, tax.country, tax.reason_code ?? tax.reason ?? ''].join(' ');
}

/** Divides a supply among rates. Of several parts, none is a multiple of a price. */
export function supplyByRates(
  supply: Omit<Supply, 'name' | 'tax'>,
  rates: readonly [NamedRate, ...NamedRate[]],
  currency: string,
): Supply[] {
  const weighed = rates.filter(({ weight }) => weight > 0);
  const [only = rates[0]] = weighed;
  if (weighed.length <= 1) return [{ name: only.name, ...supply, tax: taxOfRate(only.rate, only.tax) }];
  const weights = weighed.map(({ weight }) => weight);
  const step = minorStep(currency);
  const totals = splitByWeights(supply.total_minor, weights, step);
  const subtotals = splitByWeights(supply.subtotal_minor, weights, step);
  return weighed.map(({ name, rate, tax }, index) => ({
    name,
    ...supply,
    ...{ quantity: 1, unit_minor: null },
    subtotal_minor: subtotals[index] ?? 0,
    total_minor: totals[index] ?? 0,
    tax: taxOfRate(rate, tax),
  }));
}

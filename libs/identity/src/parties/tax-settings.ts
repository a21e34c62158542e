import { RATED_CATEGORIES, type RatedCategory } from '@commerce/kernel';
import { Choice, Country, Flag, Fraction, ListOf, Text } from '@commerce/records';

export const TAX_MODES = ['manual', 'eu'] as const;
export type TaxMode = (typeof TAX_MODES)[number];

/** Every member state has a few rates of each category over the years. */
const MAX_RATES = 500;

/** A rate of VAT that the company gives. */
export class TaxRate {
  @Country()
  country: string;

  @Choice(RATED_CATEGORIES, { fold: 'lower', description: 'the tax_category of the products that have it' })
  tax_category: RatedCategory;

  @Fraction({ description: '0.07 is 7 %' })
  rate: number;

  @Text({
    max: 10,
    pattern: /^\d{4}-\d{2}-\d{2}$/,
    description: 'the first day on which it holds',
    example: '2026-01-01',
  })
  from: string;
}

/** How the tax of what a company sells is found. */
export class TaxSettings {
  @Choice(TAX_MODES, {
    fold: 'lower',
    default: 'manual',
    description:
      'manual: the `vat` of each product; eu: decided by seller, buyer and the `tax_category` of the product',
  })
  mode: TaxMode;

  @Flag({
    default: false,
    description: 'eu: consumers in other member states pay the rates of their countries (One Stop Shop)',
  })
  oss: boolean;

  @Flag({ default: false, description: 'eu: no VAT at all, as the seller is a small business' })
  small_business: boolean;

  @ListOf(() => TaxRate, {
    default: () => [],
    max: MAX_RATES,
    description: 'eu: rates of reduced products and books, and standard rates to come',
  })
  rates: TaxRate[];
}

/** The settings of a company that has none. */
export function manualTax(): TaxSettings {
  return { mode: 'manual', oss: false, small_business: false, rates: [] };
}

/** The kinds of products that countries tax at different rates. */
export const PRODUCT_TAX_CATEGORIES = ['standard', 'reduced', 'books', 'exempt'] as const;
export type ProductTaxCategory = (typeof PRODUCT_TAX_CATEGORIES)[number];

/** The categories that have rates. */
export const RATED_CATEGORIES = ['standard', 'reduced', 'books'] as const;
export type RatedCategory = (typeof RATED_CATEGORIES)[number];

export const TAX_SUPPLIES = ['goods', 'services'] as const;
export type TaxSupply = (typeof TAX_SUPPLIES)[number];

/** A rate that the company knows, from the first day on which it holds (`YYYY-MM-DD`). */
export interface OwnRate {
  readonly country: string;
  readonly tax_category: RatedCategory;
  /** A fraction from 0 to 1. */
  readonly rate: number;
  readonly from: string;
}

/** A seller in the EU, with the settings of its company. */
export interface TaxSeller {
  readonly country: string;
  /** The time zone in which its days are counted. */
  readonly timezone: string;
  /** Whether it declares the VAT of other member states in the One Stop Shop. */
  readonly oss: boolean;
  readonly small_business: boolean;
  readonly rates: readonly OwnRate[];
}

/** A customer; without a country it counts as one of the seller's. */
export interface TaxBuyer {
  readonly country: string | null;
  /** Null also for one that the customer gave and nobody has verified. */
  readonly vat_id: string | null;
  /**
   * The country of the card that is charged, where the customer gave the other country and nobody has confirmed it; null
   * where no card tells one, which counts as one of the seller's country. Absent where `country` needs no evidence.
   */
  readonly card_country?: string | null;
}

export interface TaxedProduct {
  readonly tax_category: ProductTaxCategory;
  readonly tax_supply: TaxSupply;
}

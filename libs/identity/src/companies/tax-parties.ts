import {
  fieldFault,
  memberStateOf,
  type ProductTaxCategory,
  type RatedCategory,
  type TaxBuyer,
  type TaxSeller,
} from '@commerce/kernel';

import type { BillingData, TaxEvidence } from '../parties/billing-data.js';
import type { CompanyRecord } from './company.record.js';

type TaxedCompany = Pick<CompanyRecord, 'tax' | 'seller' | 'timezone'>;

/** The seller by whom tax is decided; null where the rates of products are set by hand. */
export function taxSellerOf({ tax, seller, timezone }: TaxedCompany): TaxSeller | null {
  if (tax.mode === 'manual' || seller === null) return null;
  const { oss, small_business, rates } = tax;
  return { country: seller.address.country, timezone, oss, small_business, rates };
}

/** Whether no invoice can be made for a plan without products whose VAT nobody has said: VAT is due, and no rule decides it. */
export function mustSayVat({ tax, seller }: Pick<TaxedCompany, 'tax' | 'seller'>): boolean {
  return tax.mode === 'manual' && (seller?.vat_id ?? null) !== null;
}

/**
 * Checks that a company knows a rate of its own country for the category that a body gives.
 * @throws Fault `tax.rate_missing`
 */
export function requireRateOf(company: TaxedCompany, category: ProductTaxCategory | null | undefined): void {
  if (category == null || category === 'exempt' || knowsRateOf(company, category)) return;
  const message = `tax.rates of the company have no ${category} rate of its own country`;
  throw fieldFault('tax_category', message, 'tax.rate_missing');
}

/** The part of a user that decides tax. */
export interface TaxedUser {
  readonly billing: BillingData | null;
  readonly billing_unconfirmed: readonly TaxEvidence[];
}

/**
 * A user as a buyer; null stands for one of the seller's country.
 * @param card_country of the payment method that is charged: evidence where the user gave the country of the address
 */
export function taxBuyerOf(user: TaxedUser | null | undefined, card_country: string | null = null): TaxBuyer {
  const { billing = null, billing_unconfirmed: unconfirmed = [] } = user ?? {};
  return {
    country: billing?.address?.country ?? null,
    vat_id: unconfirmed.includes('vat_id') ? null : (billing?.vat_id ?? null),
    ...(unconfirmed.includes('country') ? { card_country } : {}),
  };
}

/** Whether products of a category can be sold in the seller's own country: a rate of it is known there. */
function knowsRateOf(company: TaxedCompany, category: RatedCategory): boolean {
  const seller = taxSellerOf(company);
  if (seller === null || category === 'standard') return true;
  const home = memberStateOf(seller.country);
  return seller.rates.some(({ country, tax_category }) => country === home && tax_category === category);
}

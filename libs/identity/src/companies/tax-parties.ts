import { memberStateOf, type RatedCategory, type TaxBuyer, type TaxSeller } from '@commerce/kernel';

import type { BillingData } from '../parties/billing-data.js';
import type { CompanyRecord } from './company.record.js';

type TaxedCompany = Pick<CompanyRecord, 'tax' | 'seller' | 'timezone'>;

/** The seller by whom tax is decided; null where the rates of products are set by hand. */
export function taxSellerOf({ tax, seller, timezone }: TaxedCompany): TaxSeller | null {
  if (tax.mode === 'manual' || seller === null) return null;
  const { oss, small_business, rates } = tax;
  return { country: seller.address.country, timezone, oss, small_business, rates };
}

/** A user as a buyer; null stands for one of the seller's country. */
export function taxBuyerOf(user: { readonly billing: BillingData | null } | null | undefined): TaxBuyer {
  const billing = user?.billing ?? null;
  return { country: billing?.address?.country ?? null, vat_id: billing?.vat_id ?? null };
}

/** Whether products of a category can be sold in the seller's own country: a rate of it is known there. */
export function knowsRateOf(company: TaxedCompany, category: RatedCategory): boolean {
  const seller = taxSellerOf(company);
  if (seller === null || category === 'standard') return true;
  const home = memberStateOf(seller.country);
  return seller.rates.some(({ country, tax_category }) => country === home && tax_category === category);
}

import type { CompanyRecord, PostalAddress as StoredAddress, Seller, UserRecord } from '@commerce/identity';

import type { InvoiceBuyer, InvoiceSeller, PostalAddress } from '../content/invoice-content.js';

/** The seller as documents show it. */
export function sellerOf({
  name,
  address,
  vat_id,
  tax_number,
  email,
  phone,
  bank,
  footer,
  logo,
}: Seller): InvoiceSeller {
  return {
    ...{ name, address: addressOf(address), vat_id, tax_number, email, phone, bank, footer },
    logo: logo?.toHexString() ?? null,
  };
}

/** The fields of a user that documents show. */
export type BuyingUser = Pick<UserRecord, '_id' | 'human_id' | 'name' | 'email' | 'billing'>;

/** The buyer as documents show it: its billing data, and what these leave out from the user. */
export function buyerOf({ _id, human_id, name, email, billing }: BuyingUser): InvoiceBuyer {
  const company = billing?.company ?? null;
  return {
    id: _id.toHexString(),
    human_id,
    name: billing?.name ?? (company === null ? name : null),
    company,
    address: billing?.address == null ? null : addressOf(billing.address),
    vat_id: billing?.vat_id ?? null,
    email: billing?.email ?? email,
  };
}

/** The language of a document: that of the buyer, else of the seller. */
export function localeOf(
  { billing }: Pick<UserRecord, 'billing'>,
  { locale }: Pick<Seller, 'locale'>,
): string {
  return billing?.locale ?? locale;
}

/** A company that has invoices. */
export type SellingCompany = CompanyRecord & { readonly seller: Seller };

export function isSelling(company: CompanyRecord): company is SellingCompany {
  return company.seller !== null;
}

function addressOf({ line1, line2, postal_code, city, region, country }: StoredAddress): PostalAddress {
  return { line1, line2, postal_code, city, region, country };
}

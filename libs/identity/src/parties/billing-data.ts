import { Email, Flag, Instant, Nested, Text } from '@commerce/records';

import { LOCALE } from './locale.js';
import { PostalAddress } from './postal-address.js';

/** The answer of an authority that was asked about a VAT id, such as VIES. */
export class VatIdVerification {
  @Instant({ description: 'when it was asked' })
  at: Date;

  @Text({ min: 1, max: 128, description: 'what it called its answer, such as a consultation number' })
  reference: string;
}

/** What of billing can lower the tax. */
export const TAX_EVIDENCE = ['country', 'vat_id'] as const;
export type TaxEvidence = (typeof TAX_EVIDENCE)[number];

/** The customer's data on invoices. Omitted fields are taken from the user. */
export class BillingData {
  @Text({ optional: true, max: 128, description: 'of the person' })
  name: string | null;

  @Text({ optional: true, max: 128, description: 'the company that buys' })
  company: string | null;

  @Nested(() => PostalAddress, { optional: true, description: 'where the customer is' })
  address: PostalAddress | null;

  @Text({ optional: true, max: 32, description: 'with the letters of the country', example: 'DE136695976' })
  vat_id: string | null;

  @Nested(() => VatIdVerification, {
    optional: true,
    description: 'that the VAT id was confirmed, by an admin or by VIES; lost with another VAT id',
  })
  vat_id_verified: VatIdVerification | null;

  @Flag({
    default: false,
    description: 'an admin has confirmed the country of the address; lost with another country',
  })
  country_confirmed: boolean;

  @Text({
    optional: true,
    ...LOCALE,
    description: 'language of the invoices; that of the seller unless given',
  })
  locale: string | null;

  @Email({ optional: true, description: 'where invoices go; the email of the user unless given' })
  email: string | null;
}

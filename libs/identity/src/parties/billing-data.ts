import { Email, Nested, Text } from '@commerce/records';

import { LOCALE } from './locale.js';
import { PostalAddress } from './postal-address.js';

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

  @Text({
    optional: true,
    ...LOCALE,
    description: 'language of the invoices; that of the seller unless given',
  })
  locale: string | null;

  @Email({ optional: true, description: 'where invoices go; the email of the user unless given' })
  email: string | null;
}

import { Email, Nested, Ref, Text, type Id } from '@commerce/records';

import { LOCALE } from './locale.js';
import { PostalAddress } from './postal-address.js';

/** The data of the selling company on invoices. */
export class Seller {
  @Text({ min: 1, max: 128, description: 'legal name' })
  name: string;

  @Nested(() => PostalAddress, { description: 'where the company is' })
  address: PostalAddress;

  @Text({ optional: true, max: 32, description: 'with the letters of the country', example: 'DE136695976' })
  vat_id: string | null;

  @Text({ optional: true, max: 64, description: 'the number that the tax office gave' })
  tax_number: string | null;

  @Email({ optional: true, description: 'for questions about invoices' })
  email: string | null;

  @Text({ optional: true, max: 32, description: 'for questions about invoices', example: '+49 30 901820' })
  phone: string | null;

  @Text({ optional: true, max: 256, description: 'bank details' })
  bank: string | null;

  @Text({ optional: true, max: 1024, description: 'at the end of each invoice' })
  footer: string | null;

  @Ref('image', { optional: true, description: 'id of an image' })
  logo: Id | null;

  @Text({ default: 'en', ...LOCALE, description: 'language of invoices whose customer names none' })
  locale: string;

  @Text({
    default: '',
    max: 16,
    // A credit note has CN behind the prefix; the number of an invoice must not look like one.
    pattern: /^(?!.*CN$)[A-Z0-9/-]*$/,
    description: 'before the year in the numbers of invoices: R2026-000123; not CN at its end',
    example: 'R',
  })
  invoice_prefix: string;
}

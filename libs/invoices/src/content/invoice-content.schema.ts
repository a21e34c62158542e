import { TAX_CATEGORIES } from '@commerce/kernel';

import { INVOICE_KINDS, INVOICE_PAYMENT_METHODS, LINE_REASONS } from './invoice-content.js';

type Schema = Readonly<Record<string, unknown>>;

const text = (description: string): Schema => ({ type: 'string', description });
const textOrNull = (description: string): Schema => ({ type: ['string', 'null'], description });
const amount = (description: string): Schema => ({ type: 'number', description });
const day = (description: string): Schema => ({ ...text(description), format: 'date' });
const choice = (values: readonly string[], description: string): Schema => ({
  ...text(description),
  enum: [...values],
});

/** An object with all of these properties. */
function objectOf(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  isNullable = false,
): Schema {
  return {
    type: isNullable ? ['object', 'null'] : 'object',
    description,
    properties,
    required: Object.keys(properties),
  };
}

const address = (isNullable: boolean): Schema =>
  objectOf(
    'the address',
    {
      line1: text('street and number'),
      line2: textOrNull('what more the address needs'),
      postal_code: textOrNull('postal code'),
      city: textOrNull('town or city'),
      region: textOrNull('state or province'),
      country: text('ISO 3166-1 code of two letters'),
    },
    isNullable,
  );

const PERIOD = objectOf(
  'the days of the service; null where it has none',
  { start: day('the first day'), end: day('the last day that belongs to it') },
  true,
);

const CATEGORY = choice(TAX_CATEGORIES, 'of EN 16931 (UNCL 5305)');

const TAX_FIELDS = {
  net: amount('without VAT'),
  tax: amount('the VAT'),
  gross: amount('net + tax'),
};

const SHARE = objectOf(
  'the part of the period; null for all of it',
  {
    part: amount('so many'),
    of: amount('of so many'),
    unit: choice(['day', 'second'], 'of both numbers'),
  },
  true,
);

const LINE = objectOf('what was supplied, at one rate', {
  description: text('the plan or the products'),
  reason: {
    type: ['string', 'null'],
    enum: [...LINE_REASONS, null],
    description: 'why it is not the plain price of what it names',
  },
  share: SHARE,
  service_period: PERIOD,
  quantity: amount('how many, or how much'),
  unit_price: { type: ['number', 'null'], description: 'of one before the discount, as `prices` says' },
  subtotal: amount('before the discount, without VAT'),
  discount: amount('without VAT'),
  ...TAX_FIELDS,
  tax_category: CATEGORY,
  tax_rate: amount('a fraction from 0 to 1'),
  tax_country: textOrNull('as country of its tax'),
});

const TAX = objectOf('the VAT of one country, category and rate', {
  category: CATEGORY,
  rate: amount('a fraction from 0 to 1'),
  country: textOrNull(
    'whose VAT is due; that of the buyer where none is due in the EU; null where the rate was set by hand',
  ),
  reason: textOrNull('why no VAT, or that of another party, is due'),
  reason_code: textOrNull('the same as a code of the VATEX list'),
  ...TAX_FIELDS,
});

const SELLER = objectOf('the company, as it was when the number was given', {
  name: text('legal name'),
  address: address(false),
  vat_id: textOrNull('with the letters of the country'),
  tax_number: textOrNull('the number that the tax office gave'),
  email: textOrNull('for questions'),
  phone: textOrNull('for questions'),
  bank: textOrNull('bank details'),
  footer: textOrNull('at the end of the document'),
  logo: textOrNull('id of an image'),
});

const BUYER = objectOf('the user, as it was when the number was given', {
  id: text('id of the user'),
  human_id: text('readable id of the user'),
  name: textOrNull('of the person'),
  company: textOrNull('the company that buys'),
  address: address(true),
  vat_id: textOrNull('with the letters of the country'),
  email: textOrNull('where the document goes'),
});

const PAYMENT = objectOf('how it was paid, or given back', {
  id: text('id of the payment'),
  method: choice(INVOICE_PAYMENT_METHODS, 'none: nothing was to be paid'),
  date: day('when it, or the refund, succeeded, or the refund came back'),
  reference: textOrNull('of the card provider'),
  refund: textOrNull('key of the refund'),
});

const SUBJECT = objectOf(
  'what the payment was for',
  {
    kind: choice(['subscription', 'order'], 'which of them'),
    id: text('its id'),
    human_id: text('its readable id'),
  },
  true,
);

const PRECEDING = objectOf(
  'the invoice that it corrects: on a credit note, and on an invoice for a refund that came back',
  { number: text('its number'), issue_date: day('its date') },
  true,
);

/** The schema of `InvoiceContent` in the API document. */
export const INVOICE_CONTENT_SCHEMA = objectOf('all that the document says', {
  kind: choice(INVOICE_KINDS, 'that of the record'),
  number: text('that of the record'),
  issue_date: day('when the payment, or the refund, succeeded, or the refund came back'),
  locale: text('language of the document: de or de-AT'),
  currency: text('ISO 4217 code'),
  prices: choice(['inclusive', 'exclusive'], 'whether the prices include VAT'),
  seller: SELLER,
  buyer: BUYER,
  service_period: PERIOD,
  lines: { type: 'array', items: LINE, description: 'what was supplied' },
  taxes: { type: 'array', items: TAX, description: 'one entry for each country, category and rate' },
  totals: objectOf('the sums of the lines', TAX_FIELDS),
  seller_tax: objectOf(
    'the VAT in the currency of the seller; null where that is the currency, or no VAT is due',
    {
      currency: text('ISO 4217 code'),
      rate: amount('what one unit of it is in the currency of the document'),
      day: day('of the rate'),
      tax: amount('the VAT'),
    },
    true,
  ),
  credit_applied: amount('paid by the balance of the user; on a credit note: given to it'),
  paid: amount('paid by card; on a credit note: given back to it'),
  payment: PAYMENT,
  subject: SUBJECT,
  preceding: PRECEDING,
});

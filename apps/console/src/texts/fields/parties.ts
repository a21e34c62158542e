import { COUNTRIES } from '../../app/countries';
import type { FieldTexts } from './field-text';

const LANGUAGES = { en: 'English', de: 'German', fr: 'French', es: 'Spanish', it: 'Italian', nl: 'Dutch' };

function addressAt(path: string): FieldTexts {
  return {
    [`${path}.line1`]: { label: 'Street and number' },
    [`${path}.line2`]: { label: 'Second line' },
    [`${path}.postal_code`]: { label: 'Postal code' },
    [`${path}.city`]: { label: 'Town' },
    [`${path}.region`]: { label: 'State or province' },
    [`${path}.country`]: { label: 'Country', choices: COUNTRIES },
  };
}

/** The form of the seller that invoices name. */
export const seller: FieldTexts = {
  seller: {
    label: 'Seller',
    help: 'What your invoices say of you from now on; those that exist never change.',
  },
  'seller.name': { label: 'Legal name' },
  'seller.address': { label: 'Address' },
  ...addressAt('seller.address'),
  'seller.vat_id': { label: 'VAT ID', help: 'With the letters of the country: DE136695976.' },
  'seller.tax_number': { label: 'Tax number', help: 'If you have no VAT ID.' },
  'seller.email': { label: 'E-mail', help: 'For questions about invoices.' },
  'seller.phone': { label: 'Phone', help: 'Electronic invoices within Germany need one.' },
  'seller.bank': { label: 'Bank details' },
  'seller.footer': { label: 'Text at the end', help: 'Such as the register of companies and its number.' },
  'seller.logo': { label: 'Logo', help: 'The id of an uploaded image.' },
  'seller.locale': {
    label: 'Language',
    help: 'Of the invoices of customers who have chosen none.',
    choices: LANGUAGES,
  },
  'seller.invoice_prefix': {
    label: 'Beginning of the numbers',
    help: 'With R, the first number of a year is R2026-000001. Capitals, digits, - and /.',
  },
};

/** The form of the rules of a company's VAT. */
export const tax: FieldTexts = {
  tax: { label: 'VAT', help: 'For what is charged from now on.' },
  'tax.mode': {
    label: 'Rates',
    choices: { manual: 'Those of the products', eu: 'By the rules of the EU' },
  },
  'tax.oss': {
    label: 'You declare the VAT of other countries (One Stop Shop)',
    help: 'Consumers there then pay the rates of their countries.',
  },
  'tax.small_business': {
    label: 'You are a small business',
    help: 'You then charge no VAT at all.',
  },
  'tax.rates': {
    label: 'Rates of your own',
    help: 'For reduced products and books, or for a standard rate that will change.',
    empty: 'none',
  },
  'tax.rates.country': { label: 'Country', help: 'Two letters: DE.' },
  'tax.rates.tax_category': {
    label: 'Kind of product',
    choices: { standard: 'Standard', reduced: 'Reduced', books: 'Books' },
  },
  'tax.rates.rate': { label: 'Rate' },
  'tax.rates.from': { label: 'From', help: 'The first day: 2026-01-31.' },
};

/** The fields of a customer that invoices show. */
export const billing: FieldTexts = {
  billing: {
    label: 'On invoices',
    help: 'Left empty, they have the name and the e-mail address from above.',
  },
  'billing.name': { label: 'Name on invoices' },
  'billing.company': { label: 'Company' },
  'billing.address': { label: 'Address' },
  ...addressAt('billing.address'),
  'billing.vat_id': { label: 'VAT ID', help: 'With the letters of the country.' },
  'billing.vat_id_verified': { label: 'VAT ID confirmed', help: 'By VIES, the register of the EU.' },
  'billing.vat_id_verified.at': { label: 'On' },
  'billing.vat_id_verified.reference': { label: 'Reference of the answer' },
  'billing.country_confirmed': {
    label: 'Country confirmed',
    help: 'By you: its tax is due, whatever country the card is of.',
  },
  'billing.locale': { label: 'Language', empty: 'yours', choices: LANGUAGES },
  'billing.email': { label: 'E-mail for invoices' },
};

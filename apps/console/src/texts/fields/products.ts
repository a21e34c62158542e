import type { FieldTexts } from './field-text';

const json = 'JSON of your own; the service only keeps it.';

/** The form of a product. */
export const products: FieldTexts = {
  name: { label: 'Name' },
  currency: { label: 'Currency', help: 'Three letters: EUR, USD, GBP.' },
  price: { label: 'Price', help: 'Of one, before its discount.' },
  discount: { label: 'Discount' },
  vat: { label: 'VAT', help: 'It is contained in the price, unless your company adds it on top.' },
  tax_category: {
    label: 'Kind of VAT',
    help: 'It decides the rate where your company has the VAT rules of the EU.',
    choices: { standard: 'Standard', reduced: 'Reduced', books: 'Books', exempt: 'Exempt' },
  },
  tax_supply: {
    label: 'What it is',
    help: 'For the VAT of sales to other countries.',
    choices: { goods: 'Goods', services: 'A service' },
  },
  active: { label: 'On sale', help: 'Only products on sale can be ordered. Plans may contain others.' },
  description: { label: 'Description' },
  short_description: { label: 'Description in a line' },
  main_product: { label: 'Sold by itself', help: 'Such a product can have sub-products.' },
  tags: { label: 'Tags', help: 'Words to find it by, separated by commas.', empty: 'none' },
  properties: { label: 'Properties', help: json },
  path: { label: 'Place in your shop', help: 'Such as /kitchen/kettles.' },
  external_reference: { label: 'Id in another system' },
  attributes: { label: 'Attributes', help: 'The values of its template, by key, as JSON.' },
  quantity_step: {
    label: 'Sold in steps of',
    help: 'Orders have multiples of it: 0.25, or 6.',
    empty: 'whole numbers',
  },
  company_take: { label: 'Your share', help: 'A number of your own; the service only keeps it.' },
  max_distance: { label: 'Offered within metres', help: 'Of its position.', empty: 'everywhere' },
  default_position: { label: 'Position', help: 'Longitude and latitude: [13.4, 52.5].' },
  business_rules: { label: 'Rules', help: json },
  image: { label: 'Image', help: 'The id of an uploaded image.' },
  media: { label: 'Further images', help: 'Uploaded images, or addresses.' },
  'media.kind': { label: 'Kind' },
  'media.url': { label: 'Address' },
  'media.name': { label: 'Name' },
  'media.human_id': { label: 'Short id' },
  'media.image': { label: 'Uploaded image', help: 'Its id.' },
  sub_products: { label: 'Sub-products', empty: 'none' },
};

/** The product that is written again and again, under another name each time. */
export const PRODUCT = {
  name: 'Espresso cup',
  price: 19.99,
  currency: 'EUR',
  discount: 0.25,
  vat: 0.24,
  description:
    'A cup of thick white porcelain that keeps sixty millilitres warm for as long as it takes to drink them.',
  tags: ['cups', 'porcelain', 'kitchen'],
  properties: { colour: 'white', volume_ml: 60, dishwasher: true, sizes: ['single', 'double'] },
  external_reference: 'shop-4711',
};

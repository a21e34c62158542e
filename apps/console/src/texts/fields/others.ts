import type { FieldTexts } from './field-text';

export const coupons: FieldTexts = {
  name: { label: 'Name', help: 'What you call it; customers type the code.' },
  code: { label: 'Code', help: 'What customers type, in any case: SPRING.', empty: 'a random one' },
  percent_off: { label: 'Percent off', help: 'Either this or an amount.' },
  amount_off: {
    label: 'Amount off',
    help: 'Off an order, or off each period of a subscription that it lowers.',
  },
  currency: { label: 'Currency', help: 'With an amount: EUR, USD, GBP.' },
  duration: {
    label: 'On a subscription, it lowers',
    help: 'An order is lowered once in any case.',
    choices: { ONCE: 'One period', REPEATING: 'Several periods', FOREVER: 'Every period' },
  },
  duration_in_intervals: { label: 'How many periods', help: 'Only if it lowers several.' },
  plans: { label: 'Only for plans', empty: 'all' },
  products: { label: 'Only for products', empty: 'all' },
  starting_date: { label: 'Valid from', help: 'UTC.', empty: 'now' },
  ending_date: { label: 'Valid until', help: 'UTC. Left empty, it does not end.' },
  max_redemptions: {
    label: 'How often it can be used',
    help: 'By all customers together.',
    empty: 'without limit',
  },
  max_redemptions_per_user: {
    label: 'How often one customer can use it',
    help: 'On orders and subscriptions together.',
    empty: 'on one subscription, on any order',
  },
};

export const users: FieldTexts = {
  name: { label: 'Name' },
  email: { label: 'Email', help: 'Each address belongs to one customer.' },
  external_reference: { label: 'Id in another system', help: 'Such as in your shop.' },
  timezone: { label: 'Time zone', help: 'For display only: it never moves a charge.', empty: 'UTC' },
  metadata: { label: 'Data of your own', help: 'JSON. The customer can read it.' },
  test_clock: {
    label: 'Test clock',
    help: 'A customer on a test clock lives by its time, for good.',
    empty: 'real time',
  },
};

export const orders: FieldTexts = {
  user: { label: 'Customer', help: 'Type a name, and choose.', isNeeded: true },
  items: { label: 'Items', help: 'What is bought.' },
  'items.product': { label: 'Product' },
  'items.quantity': { label: 'Quantity' },
  'items.discount': { label: 'Discount', help: 'On this line.' },
  'items.sub_products': { label: 'Sub-products', empty: 'none' },
  coupon: { label: 'Coupon code', empty: 'none' },
  note: { label: 'Note', help: 'The customer can read it.' },
  payment_method: {
    label: 'Pay with',
    help: 'A card of the customer, which is charged at once.',
    empty: 'it waits for its payment',
  },
  off_session: {
    label: 'The customer is away',
    help: 'Then nobody can answer a question of the bank, and the order waits for that.',
    standard: true,
  },
};

export const webhooks: FieldTexts = {
  event_type: { label: 'Event type', help: 'What the endpoint is told of.', empty: 'Several, chosen below' },
  kinds: {
    label: 'Several kinds of events',
    help: 'Instead of one.',
    choices: { '*': 'All, also those to come' },
  },
  endpoint: { label: 'Endpoint', help: 'The address of your server that is called: https://…' },
  active: { label: 'Events are sent' },
  confirm: {
    label: 'Confirmation',
    help: 'Later, it can learn its secret first; then verify it on its page.',
    choices: { now: 'Now', later: 'Later' },
  },
};

export const keys: FieldTexts = {
  kind: {
    label: 'Kind',
    choices: {
      api: 'API key, pk_…: public, names the company',
      service: 'Service key, sk_…: secret, may do everything',
    },
  },
  expires: {
    label: 'Expires',
    help: 'UTC. Left empty, it expires with the key that you are signed in with.',
  },
};

export const test_clocks: FieldTexts = {
  name: { label: 'Name', help: 'Such as “A year of renewals”.' },
  frozen_time: { label: 'Its time', help: 'Where it begins, in UTC. It can only be moved forward.' },
};

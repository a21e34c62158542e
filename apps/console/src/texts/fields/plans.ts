import type { FieldTexts } from './field-text';

const units = {
  DAY: 'Days',
  WEEK: 'Weeks',
  MONTH: 'Months, from the day of the start',
  MONTH_END: 'Calendar months, from the first to the last day',
  ANNUAL: 'Years',
};

/** The form of a plan. */
export const plans: FieldTexts = {
  name: { label: 'Name', help: 'What you and your customers call it, such as “Coffee box”.' },
  note: { label: 'Note', help: 'For you; customers do not see it.' },
  interval_unit: {
    label: 'The price is for',
    help: 'The unit in which the time of one price is counted.',
    choices: units,
  },
  interval_count: { label: 'How many of them', help: 'Months and 3 are a quarter.' },
  currency: {
    label: 'Currency',
    help: 'Three letters: EUR, USD, GBP.',
    empty: 'that of the items',
  },
  total_amount: {
    label: 'Price',
    help: 'What is charged for that time. It cannot be changed later: make another plan then.',
    empty: 'the sum of the items',
  },
  vat: {
    label: 'VAT',
    help: 'Of a plan without items: it is contained in the price, unless your company adds it on top. 0 is no VAT.',
    empty: 'not said',
  },
  tax_category: {
    label: 'Kind of VAT',
    help: 'Of a plan without items, where your company has the VAT rules of the EU.',
    empty: 'Standard',
    choices: { standard: 'Standard', reduced: 'Reduced', books: 'Books', exempt: 'Exempt' },
  },
  items: { label: 'Items', help: 'The products that it consists of. Without a price above, they make it.' },
  'items.product': { label: 'Product' },
  'items.quantity': { label: 'Quantity' },
  'items.discount': { label: 'Discount', help: 'On this item, inside the plan.' },
  'items.sub_products': { label: 'Sub-products', empty: 'none' },
  prepay: { label: 'Paid in advance', help: 'Charged when a period begins. Otherwise when it ends.' },
  setup_fee: { label: 'Setup fee', help: 'Charged once, with the first charge; no stop gives it back.' },
  trial_days: { label: 'Free days', help: 'Days of trial before the first period.' },
  offered: {
    label: 'Customers can choose it',
    help: 'Otherwise only you subscribe customers to it; those who are stay.',
  },
  billing_interval: {
    label: 'Collected every',
    help: 'To collect a price in parts: a yearly price by the month.',
    empty: 'The time of the price',
    choices: units,
  },
  billing_interval_count: {
    label: 'How many of them per charge',
    help: 'Months and 3: collected each quarter.',
    empty: '1',
  },
  is_prorated: {
    label: 'Parts of a period count by their days',
    help: 'A stop in the middle gives back unused days. Otherwise every period that has begun is charged whole.',
  },
  should_retry_payments: { label: 'Try failed payments again' },
  max_payment_retries: { label: 'Tries after the first', help: 'Only if failed payments are tried again.' },
  retry_payment_in_minutes: { label: 'Minutes between tries', help: '720 are twelve hours, 1440 a day.' },
  initial_fail_amount_action: {
    label: 'If the first payment fails',
    choices: { CONTINUE: 'It goes on, and the amount is owed', CANCEL: 'It is cancelled' },
  },
  max_fail_attempts: {
    label: 'Cancelled after failed periods in a row',
    help: '0 means never.',
    empty: 'never',
  },
  auto_bill_amount: {
    label: 'What is owed joins the next charge',
    help: 'Otherwise you collect it in another way.',
  },
  static: {
    label: 'Keep the prices of the items as they are today',
    help: 'Otherwise a new price of a product holds from the next charge on.',
  },
};

/** The fields of each list in its export, the ones that people look for first. */
export const EXPORTED = {
  users: [
    'human_id',
    'name',
    'email',
    'external_reference',
    'timezone',
    'created',
    'updated',
    'test_clock',
    '_id',
  ],
  subscriptions: [
    ...['human_id', 'status', 'collection_state', 'quantity', 'coupon', 'currency', 'last_billed_amount'],
    ...['outstanding_amount', 'awaiting_amount', 'starting_date', 'current_billing_date_period_start'],
    ...['current_billing_date_period_end', 'next_billing_date', 'ending_date', 'note', 'created'],
    ...['user', 'plan', '_id'],
  ],
  payments: [
    ...[
      'created',
      'status',
      'kind',
      'amount',
      'credit_applied',
      'refunded_amount',
      'owed_amount',
      'currency',
    ],
    ...['period_start', 'period_end', 'user', 'subscription', 'order', 'payment_method', '_id'],
  ],
  invoices: [
    ...['number', 'kind', 'issue_date', 'buyer', 'buyer_country', 'buyer_vat_id', 'net', 'tax', 'gross'],
    ...['currency', 'paid', 'credit_applied', 'preceding_number', 'created', 'user', 'payment'],
    ...['subscription', '_id'],
  ],
  orders: ['human_id', 'status', 'amount', 'currency', 'coupon', 'note', 'created', 'user', 'payment', '_id'],
  products: [
    'human_id',
    'name',
    'active',
    'price',
    'discount',
    'final_price',
    'currency',
    'vat',
    'created',
    '_id',
  ],
  plans: [
    ...['human_id', 'name', 'total_amount', 'currency', 'interval_unit', 'interval_count', 'prepay'],
    ...['setup_fee', 'trial_days', 'created', '_id'],
  ],
  coupons: [
    ...['code', 'name', 'percent_off', 'amount_off', 'currency', 'duration', 'used_count', 'max_redemptions'],
    ...['starting_date', 'ending_date', 'active', 'created', '_id'],
  ],
} as const;

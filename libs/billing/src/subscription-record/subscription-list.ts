/** Sort orders and filters of subscription lists; each combination has an index. */
export const SUBSCRIPTION_LIST = {
  sorts: ['created', 'updated', 'name', 'next_billing_date', '_id'],
  by: {
    user: ['created', 'updated'],
    status: ['created'],
    plan: ['created'],
    method: ['created'],
    test_clock: ['created'],
    currency: ['created'],
  },
} as const;

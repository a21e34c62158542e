/** How lists of subscriptions are sorted and narrowed; each combination has an index. */
export const SUBSCRIPTION_LIST = {
  sorts: ['created', 'updated', 'name', 'next_billing_date'],
  by: {
    user: ['created', 'updated'],
    status: ['created'],
    plan: ['created'],
    method: ['created'],
    test_clock: ['created'],
    currency: ['created'],
  },
} as const;

export const search = {
  search: {
    button: 'Search',
    keys: '/',
    title: 'Search everywhere',
    label: 'Name, e-mail, id or code',
    covers: 'Customers, subscriptions, orders, payments, plans, products, coupons and webhooks.',
    help: '↑ ↓ to choose, Enter to open, Esc to close',
    results: 'Results',
    searching: 'Searching…',
    nothing: (query: string) => `Nothing is found for “${query}”.`,
    found: (many: number) => (many === 1 ? '1 result' : `${String(many)} results`),
    kinds: {
      user: 'Customers',
      subscription: 'Subscriptions',
      order: 'Orders',
      payment: 'Payments',
      plan: 'Plans',
      product: 'Products',
      coupon: 'Coupons',
      webhook: 'Webhooks',
    },
  },
};

import { percentOf } from '../app/percent';

interface Interval {
  readonly unit: string;
  readonly count: number;
}

function intervalText({ unit, count }: Interval): string {
  return count === 1 ? unit.toLowerCase() : `${String(count)} × ${unit.toLowerCase()}`;
}

export const records = {
  records: {
    name: 'Name',
    noMatch: 'Nothing matches these filters.',
    made: 'Made',
    price: 'Price',
    vat: 'VAT',
    vatUnsaid: 'Not said: invoices wait',
    every: 'Every',
    paid: 'Paid',
    before: 'in advance',
    after: 'afterwards',
    trial: 'Trial',
    code: 'Code',
    off: 'Discount',
    used: 'Used',
    until: 'Until',
    email: 'Email',
    lives: 'Lives in',
    items: 'Items',
    percent: (share: number) => `${percentOf(share)} %`,
    days: (many: number) => (many === 0 ? '–' : `${String(many)} days`),
    usedOf: (used: number, most: number | null) =>
      most === null ? String(used) : `${String(used)} of ${String(most)}`,
    interval: (interval: Interval, billing: Interval) =>
      intervalText(interval) === intervalText(billing)
        ? intervalText(interval)
        : `${intervalText(interval)}, billed each ${intervalText(billing)}`,
    products: { lead: 'What is sold.', empty: 'There is no product yet.' },
    plans: {
      lead: 'How something is billed. What a plan costs never changes.',
      empty: 'There is no plan yet.',
    },
    coupons: { lead: 'Discounts on orders and subscriptions.', empty: 'There is no coupon yet.' },
    users: { lead: 'Everyone who buys or subscribes.', empty: 'There is no customer yet.' },
    orders: { lead: 'Single purchases.', empty: 'There is no order yet.' },
  },
};

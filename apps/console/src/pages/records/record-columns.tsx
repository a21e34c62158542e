import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';

import { day, money } from '../../app/format';
import { UserName } from '../../lists/names';
import type { Column } from '../../lists/record-list';
import { T } from '../../texts';
import { Badge } from '../../ui/parts';

type Of<P extends '/products' | '/plans' | '/coupons' | '/users' | '/orders'> = Reply<P, 'get'>[number];

const made = <R extends { readonly created: Date }>(): Column<R> => ({
  title: T.records.made,
  align: 'right',
  minor: true,
  show: ({ created }) => day(created),
});

const shortId = <R extends { readonly human_id: string }>(): Column<R> => ({
  title: T.id,
  align: 'right',
  minor: true,
  show: ({ human_id }) => <code>{human_id}</code>,
});

const products: readonly Column<Of<'/products'>>[] = [
  { title: T.status, show: ({ active }) => <Badge value={active ? 'ACTIVE' : 'inactive'} /> },
  {
    title: T.records.price,
    align: 'right',
    show: ({ final_price, currency }) => money(final_price, currency),
  },
  { title: T.records.vat, align: 'right', minor: true, show: ({ vat }) => T.records.percent(vat) },
  shortId(),
  made(),
];

/** The VAT of a plan without items; with items, theirs hold. */
function planVat({ vat, warnings }: Of<'/plans'>): ReactNode {
  if (warnings.some(({ kind }) => kind === 'plan.vat_unsaid')) {
    return <span className="badge bad">{T.records.vatUnsaid}</span>;
  }
  return vat === null ? T.none : T.records.percent(vat);
}

const plans: readonly Column<Of<'/plans'>>[] = [
  {
    title: T.records.price,
    align: 'right',
    show: ({ total_amount, currency }) => money(total_amount, currency),
  },
  { title: T.records.vat, align: 'right', show: planVat },
  {
    title: T.records.every,
    show: ({ interval_unit, interval_count, billing_interval, billing_interval_count }) =>
      T.records.interval(
        { unit: interval_unit, count: interval_count },
        { unit: billing_interval, count: billing_interval_count },
      ),
  },
  { title: T.records.paid, minor: true, show: ({ prepay }) => (prepay ? T.records.before : T.records.after) },
  {
    title: T.records.trial,
    align: 'right',
    minor: true,
    show: ({ trial_days }) => T.records.days(trial_days),
  },
  shortId(),
  made(),
];

const coupons: readonly Column<Of<'/coupons'>>[] = [
  { title: T.records.code, show: ({ code }) => <code>{code}</code> },
  {
    title: T.records.off,
    align: 'right',
    show: ({ percent_off, amount_off, currency }) =>
      percent_off === null ? money(amount_off, currency ?? 'EUR') : T.records.percent(percent_off),
  },
  {
    title: T.records.used,
    align: 'right',
    show: ({ used_count, max_redemptions }) => T.records.usedOf(used_count, max_redemptions),
  },
  { title: T.records.until, align: 'right', minor: true, show: ({ ending_date }) => day(ending_date) },
  made(),
];

const users: readonly Column<Of<'/users'>>[] = [
  { title: T.records.email, show: ({ email }) => email ?? T.none },
  {
    title: T.records.lives,
    minor: true,
    show: ({ test_clock }) => (test_clock === null ? T.realTime : T.clock.title),
  },
  shortId(),
  made(),
];

const orders: readonly Column<Of<'/orders'>>[] = [
  { title: T.subscriptions.customer, show: ({ user }) => <UserName id={user} /> },
  { title: T.records.items, align: 'right', minor: true, show: ({ items }) => items.length },
  { title: T.amount, align: 'right', show: ({ amount, currency }) => money(amount, currency) },
  { title: T.status, show: ({ status }) => <Badge value={status} /> },
  made(),
];

const ALL = { products, plans, coupons, users, orders };

export type ListedKind = keyof typeof ALL;

/** The columns of each list besides the name. Each list receives only records of its own kind. */
export const COLUMNS = ALL as unknown as Readonly<
  Record<ListedKind, readonly Column<{ readonly _id: string }>[]>
>;

import { useQuery } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';

import { day, money } from '../../app/format';
import { useClient } from '../../app/session';
import { PlanName, type User } from '../../lists/names';
import type { Column } from '../../lists/record-list';
import { PaymentAmount } from '../../lists/payment-amount';
import { ShortTable } from '../../lists/short-table';
import { Explanation } from '../../picture/explanation';
import type { Payment } from '../../picture/model';
import { T } from '../../texts';
import { Badge, Note, Section, Trouble } from '../../ui/parts';
import { Standing } from '../subscriptions/standing';

/** The newest records that a customer's page shows of each kind. */
const SHOWN = 8;

interface OfUser {
  readonly user: User;
}

const SUBSCRIPTIONS: readonly Column<Reply<'/subscriptions', 'get'>[number]>[] = [
  {
    title: T.subscriptions.plan,
    show: ({ _id, plan, quantity }) => (
      <Link href={`/subscriptions/${_id}`} className="strong">
        {quantity > 1 && `${String(quantity)} × `}
        <PlanName id={plan} />
      </Link>
    ),
  },
  { title: T.status, show: (one) => <Standing {...one} /> },
  { title: T.subscriptions.next, align: 'right', minor: true, show: (one) => day(one.next_billing_date) },
];

export function SubscriptionsOf({ user: { _id: user } }: OfUser): ReactNode {
  const client = useClient();
  const query = { user, size: SHOWN };
  const { data, error } = useQuery({
    queryKey: ['/subscriptions', 'of', user],
    queryFn: () => client.get('/subscriptions', { params: { query } }),
  });
  return (
    <Records
      title={T.customer.subscriptions}
      path={`/subscriptions?user=${user}`}
      empty={T.customer.noSubscriptions}
      columns={SUBSCRIPTIONS}
      {...{ data, error }}
    />
  );
}

const ORDERS: readonly Column<Reply<'/orders', 'get'>[number]>[] = [
  {
    title: T.records.name,
    show: ({ _id, human_id }) => (
      <Link href={`/orders/${_id}`} className="strong">
        {T.order.title(human_id)}
      </Link>
    ),
  },
  { title: T.status, show: ({ status }) => <Badge value={status} /> },
  { title: T.date, minor: true, show: ({ created }) => day(created) },
  { title: T.amount, align: 'right', show: ({ amount, currency }) => money(amount, currency) },
];

export function OrdersOf({ user: { _id: user } }: OfUser): ReactNode {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['/orders', 'of', user],
    queryFn: () => client.get('/orders', { params: { query: { user, size: SHOWN } } }),
  });
  return (
    <Records
      title={T.customer.orders}
      path={`/orders?user=${user}`}
      empty={T.customer.noOrders}
      columns={ORDERS}
      {...{ data, error }}
    />
  );
}

export function PaymentsOf({ user: { _id: user } }: OfUser): ReactNode {
  const client = useClient();
  const [opened, setOpened] = useState<Payment | null>(null);
  const { data, error } = useQuery({
    queryKey: ['/payments', 'of', user],
    queryFn: () => client.get('/payments', { params: { query: { user, size: SHOWN } } }),
  });
  return (
    <>
      <Records
        title={T.customer.payments}
        path={`/payments?user=${user}`}
        empty={T.customer.noPayments}
        columns={paymentColumns(setOpened)}
        {...{ data, error }}
      />
      {opened !== null && (
        <Explanation
          charge={{ source: { is: 'payment', payment: opened }, amount: opened.amount }}
          currency={opened.currency}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

/** The columns of payments; their amount opens the explanation. */
export function paymentColumns(open: (payment: Payment) => void): readonly Column<Payment>[] {
  return [
    { title: T.date, show: ({ created }) => day(created) },
    { title: T.payments.kind, minor: true, show: ({ kind }) => T.picture.kinds[kind] },
    { title: T.status, show: ({ status }) => <Badge value={status} /> },
    { title: T.amount, align: 'right', show: (payment) => <PaymentAmount {...{ payment, open }} /> },
  ];
}

interface RecordsProps<R> {
  readonly title: string;
  /** The whole list. */
  readonly path: string;
  readonly empty: string;
  readonly columns: readonly Column<R>[];
  readonly data: readonly R[] | undefined;
  readonly error: Error | null;
}

function Records<R>({ title, path, empty, columns, data, error }: RecordsProps<R>): ReactNode {
  const all = data?.length === SHOWN ? <Link href={path}>{T.customer.all(title)}</Link> : undefined;
  return (
    <Section title={title} aside={all}>
      <Trouble error={error} />
      {data === undefined && error === null && <Note>{T.loading}</Note>}
      {data?.length === 0 && <Note>{empty}</Note>}
      {data !== undefined && data.length > 0 && <ShortTable title={title} columns={columns} rows={data} />}
    </Section>
  );
}

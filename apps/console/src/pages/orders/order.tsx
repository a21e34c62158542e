import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { moment } from '../../app/format';
import { useClient } from '../../app/session';
import { DocumentLinks } from '../../lists/documents';
import { UserLink } from '../../lists/names';
import { ShortTable } from '../../lists/short-table';
import { Explanation } from '../../picture/explanation';
import type { Payment } from '../../picture/model';
import { T } from '../../texts';
import { Facts } from '../../ui/facts';
import { Badge, Note, PageHead, Section, Trouble } from '../../ui/parts';
import { paymentColumns } from '../customers/records-of';
import type { Order } from './model';
import { OrderActions } from './order-actions';
import { OrderItems } from './order-items';

const UNDER_WAY_MS = 1500;
const MOST_READS = 40;

/** One purchase: what was bought, how it is paid, and what can be done now. */
export default function OrderPage({ id }: { readonly id: string }): ReactNode {
  const client = useClient();
  const order = useQuery({
    queryKey: ['/orders/{id}', id],
    queryFn: () => client.get('/orders/{id}', { params: { path: { id } } }),
  });
  const payments = usePayments(id);
  const { data: shown, error } = order;
  if (shown === undefined) return error === null ? <Note>{T.loading}</Note> : <Trouble error={error} />;
  const paid = payments.data?.find(({ _id }) => _id === shown.payment);
  return (
    <>
      <PageHead title={T.order.title(shown.human_id)} lead={<Badge value={shown.status} />} />
      <div className="columns two-to-one">
        <div>
          <OrderItems order={shown} />
          <Payments payments={payments.data} error={payments.error} />
        </div>
        <div>
          <OrderActions order={shown} payments={payments.data ?? []} />
          <Section title={T.order.facts}>
            <FactsOf order={shown} />
            {paid !== undefined && <DocumentLinks payment={paid} />}
          </Section>
        </div>
      </div>
    </>
  );
}

/** The payments of an order, read again while one of them or a refund is processing. */
function usePayments(order: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['/payments', 'of order', order],
    queryFn: () => client.get('/payments', { params: { query: { order, size: 20 } } }),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      dataUpdateCount < MOST_READS && data?.some(isUnderWay) === true ? UNDER_WAY_MS : false,
  });
}

function isUnderWay({ status, refunds }: Payment): boolean {
  return (
    ['CREATED', 'PROCESSING', 'UNKNOWN'].includes(status) || refunds.some((one) => one.status === 'PENDING')
  );
}

function FactsOf({ order }: { readonly order: Order }): ReactNode {
  const { user, created, coupon, note, human_id, _id } = order;
  return (
    <Facts
      facts={[
        [T.order.customer, <UserLink key="user" id={user} />],
        [T.order.made, moment(created)],
        [T.order.coupon, coupon ?? T.none],
        [T.order.note, note ?? T.none],
        [
          T.order.id,
          <span key="id" title={_id}>
            <code>{human_id}</code>
          </span>,
        ],
      ]}
    />
  );
}

interface PaymentsProps {
  readonly payments: readonly Payment[] | undefined;
  readonly error: Error | null;
}

function Payments({ payments, error }: PaymentsProps): ReactNode {
  const [opened, setOpened] = useState<Payment | null>(null);
  return (
    <Section title={T.order.payments}>
      <Trouble error={error} />
      {payments === undefined && error === null && <Note>{T.loading}</Note>}
      {payments?.length === 0 && <Note>{T.order.noPayment}</Note>}
      {payments !== undefined && payments.length > 0 && (
        <ShortTable title={T.order.payments} columns={paymentColumns(setOpened)} rows={payments} />
      )}
      {opened !== null && (
        <Explanation
          charge={{ source: { is: 'payment', payment: opened }, amount: opened.amount }}
          currency={opened.currency}
          onClose={() => setOpened(null)}
        />
      )}
    </Section>
  );
}

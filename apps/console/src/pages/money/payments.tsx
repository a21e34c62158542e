import { useQuery } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';
import { useState, type ReactNode } from 'react';

import { money } from '../../app/format';
import { useClient } from '../../app/session';
import { ChoiceFilter, LinkedFilter, useFilters } from '../../lists/filters';
import { RecordList, type Column } from '../../lists/record-list';
import { UserLink } from '../../lists/names';
import { Explanation } from '../../picture/explanation';
import { T } from '../../texts';
import { Badge, PageHead, When } from '../../ui/parts';

type Payment = Reply<'/payments', 'get'>[number];

const STATUSES = [
  'CREATED',
  'PROCESSING',
  'SUCCEEDED',
  'FAILED',
  'REQUIRES_AUTH',
  'UNKNOWN',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'DISPUTED',
];

/** The payments, each with its explanation. */
export default function Payments(): ReactNode {
  const client = useClient();
  const filters = useFilters();
  const [clicked, setClicked] = useState<Payment | null>(null);
  const { id = '', ...query } = filters.query;
  const linked = useLinked(id);
  const opened = clicked ?? linked;
  const close = (): void => {
    setClicked(null);
    if (id !== '') filters.set('id', '');
  };
  return (
    <>
      <PageHead title={T.nav.payments} lead={T.payments.lead} />
      <div className="filters">
        <ChoiceFilter {...{ filters, name: 'status', label: T.status, values: STATUSES }} />
        <LinkedFilter {...{ filters, name: 'user', label: T.oneUser }} />
        <LinkedFilter {...{ filters, name: 'subscription', label: T.oneSubscription }} />
        <LinkedFilter {...{ filters, name: 'from_date', label: T.payments.since }} />
        <LinkedFilter {...{ filters, name: 'to_date', label: T.payments.until }} />
        <LinkedFilter {...{ filters, name: 'currency', label: T.oneCurrency(filters.of('currency')) }} />
        <LinkedFilter {...{ filters, name: 'test_clock', label: T.oneClock }} />
        <LinkedFilter {...{ filters, name: 'real_time', label: T.realTime }} />
      </div>
      <RecordList
        title={T.nav.payments}
        of={['/payments', query]}
        columns={columnsOf(setClicked)}
        empty={T.payments.empty}
        load={(page) => client.get('/payments', { params: { query: { ...page, ...query } } })}
      />
      {opened !== null && (
        <Explanation
          charge={{ source: { is: 'payment', payment: opened }, amount: opened.amount }}
          currency={opened.currency}
          onClose={close}
        />
      )}
    </>
  );
}

/** The payment that the address names. */
function useLinked(id: string): Payment | null {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['/payments/{id}', id],
    queryFn: () => client.get('/payments/{id}', { params: { path: { id } } }),
    enabled: id !== '',
  });
  return id === '' ? null : (data ?? null);
}

function columnsOf(open: (payment: Payment) => void): readonly Column<Payment>[] {
  return [
    { title: T.date, show: ({ created }) => <When at={created} /> },
    { title: T.subscriptions.customer, show: ({ user }) => <UserLink id={user} /> },
    {
      title: T.amount,
      align: 'right',
      show: (payment) => {
        const { currency, credit_applied } = payment;
        const amount = money(payment.amount, currency);
        return (
          <>
            <button
              type="button"
              className="link"
              aria-label={T.explanation.title(amount)}
              onClick={() => open(payment)}
            >
              {amount}
            </button>
            {credit_applied > 0 && (
              <div className="quiet small">{T.payments.fromBalance(money(credit_applied, currency))}</div>
            )}
          </>
        );
      },
    },
    { title: T.status, show: ({ status }) => <Badge value={status} /> },
    { title: T.payments.kind, minor: true, show: ({ kind }) => T.picture.kinds[kind] },
  ];
}

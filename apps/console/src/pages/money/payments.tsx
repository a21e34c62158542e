import { useQuery } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';
import { useState, type ReactNode } from 'react';

import { money } from '../../app/format';
import { useClient } from '../../app/session';
import { ExportButton } from '../../lists/export/export-button';
import { EXPORTED } from '../../lists/export/export-fields';
import { FilterBar } from '../../lists/filters/filter-bar';
import { ChoiceFilter, LinkedFilters, useFilters } from '../../lists/filters/filters';
import { AmountFilters, DateFilters } from '../../lists/filters/range-filters';
import { RecordList, type Column, type PageQuery } from '../../lists/record-list';
import { SortFilter, sortOf } from '../../lists/filters/sorts';
import { UserLink } from '../../lists/names';
import { UserFilter } from '../../lists/filters/user-filter';
import { useNamed } from '../../lists/export/with-customers';
import { PaymentAmount } from '../../lists/payment-amount';
import { Explanation } from '../../picture/explanation';
import { T } from '../../texts';
import { Badge, PageHead, When } from '../../ui/parts';

type Payment = Reply<'/payments', 'get'>[number];

const SORTS = ['-_id', '-created', 'created', '-amount', 'amount'] as const;

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
  const sort = sortOf({ ...filters, query }, SORTS);
  const load = (page: PageQuery): Promise<Payment[]> =>
    client.get('/payments', { params: { query: { ...page, ...query, sort } } });
  const named = useNamed(load);
  const linked = useLinked(id);
  const opened = clicked ?? linked;
  const close = (): void => {
    setClicked(null);
    if (id !== '') filters.set('id', '');
  };
  return (
    <>
      <PageHead title={T.nav.payments} lead={T.payments.lead}>
        <ExportButton name="payments" fields={EXPORTED.payments} load={named} key={filters.key} />
      </PageHead>
      <FilterBar filters={filters}>
        <ChoiceFilter {...{ filters, name: 'status', label: T.status, values: STATUSES }} />
        <UserFilter filters={filters} />
        <AmountFilters filters={filters} />
        <DateFilters filters={filters} />
        <SortFilter filters={filters} offered={SORTS} />
        <LinkedFilters filters={filters} />
      </FilterBar>
      <RecordList
        title={T.nav.payments}
        of={['/payments', query]}
        columns={columnsOf(setClicked)}
        empty={T.payments.empty}
        load={load}
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
        return (
          <>
            <PaymentAmount {...{ payment, open }} />
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

import { useQuery } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { count, money, words } from '../../app/format';
import { useClient } from '../../app/session';
import { ShortTable } from '../../lists/short-table';
import type { Column } from '../../lists/record-list';
import { T } from '../../texts';
import { Note, Section, Trouble } from '../../ui/parts';

type Debt = Reply<'/debts', 'get'>['debts'][number];

interface DebtsProps {
  readonly currency: string;
  /** Empty for real time. */
  readonly clock: string;
}

/** The open debts of subscriptions, by age. */
export function Debts({ currency, clock }: DebtsProps): ReactNode {
  const client = useClient();
  const query = clock === '' ? {} : { test_clock: clock };
  const { data, error } = useQuery({
    queryKey: ['/debts', query],
    queryFn: () => client.get('/debts', { params: { query } }),
  });
  const debts = data?.debts.filter((debt) => debt.currency === currency) ?? [];
  const sum = debts.reduce((all, debt) => all + debt.outstanding_amount + debt.awaiting_amount, 0);
  return (
    <Section
      title={T.debts.title}
      aside={debts.length > 0 && <span className="strong">{money(sum, currency)}</span>}
    >
      <Trouble error={error} />
      {data === undefined && error === null && <Note>{T.loading}</Note>}
      {data !== undefined && debts.length === 0 && <Note>{T.debts.none}</Note>}
      {debts.length > 0 && <ShortTable title={T.debts.title} columns={columnsAt(clock)} rows={debts} />}
    </Section>
  );
}

function columnsAt(clock: string): readonly Column<Debt>[] {
  const listOf = ({ collection_state, currency }: Debt): string => {
    const whose: Record<string, string> = clock === '' ? { real_time: 'true' } : { test_clock: clock };
    return `/subscriptions?${new URLSearchParams({ collection_state, currency, ...whose }).toString()}`;
  };
  return [
    { title: T.debts.age, show: ({ from_days, to_days }) => T.debts.days(from_days, to_days) },
    {
      title: T.debts.state,
      show: (debt) => <Link href={listOf(debt)}>{words(debt.collection_state)}</Link>,
    },
    {
      title: T.revenue.subscriptions,
      align: 'right',
      minor: true,
      show: ({ subscriptions }) => count(subscriptions),
    },
    {
      title: T.debts.awaiting,
      align: 'right',
      minor: true,
      show: ({ awaiting_amount, currency }) => money(awaiting_amount, currency),
    },
    {
      title: T.debts.owed,
      align: 'right',
      show: ({ outstanding_amount, awaiting_amount, currency }) =>
        money(outstanding_amount + awaiting_amount, currency),
    },
  ];
}

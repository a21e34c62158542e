import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { day, money } from '../../app/format';
import { useClient } from '../../app/session';
import { RecordList, type Column, type PageQuery } from '../../lists/record-list';
import { DateFilters } from '../../lists/filters/range-filters';
import { SortFilter, sortOf } from '../../lists/filters/sorts';
import { usePlans } from '../../forms/plan/plan-fields';
import { EXPORTED } from '../../lists/export/export-fields';
import { ExportButton } from '../../lists/export/export-button';
import { FilterBar } from '../../lists/filters/filter-bar';
import { ChoiceFilter, LinkedFilters, useFilters } from '../../lists/filters/filters';
import { PlanName, UserName } from '../../lists/names';
import { UserFilter } from '../../lists/filters/user-filter';
import { useNamed } from '../../lists/export/with-customers';
import { T } from '../../texts';
import { PageHead } from '../../ui/parts';
import { Standing } from './standing';

type Subscription = Reply<'/subscriptions', 'get'>[number];

const STATUSES = ['CREATED', 'FUTURE', 'ACTIVE', 'PAUSED', 'NON_RENEWING', 'COMPLETED', 'CANCELLED'];
const COLLECTION = ['RETRYING', 'REQUIRES_AUTH', 'PAST_DUE'];
const SORTS = ['-_id', '-created', 'created', '-updated', 'next_billing_date'] as const;

const COLUMNS: readonly Column<Subscription>[] = [
  {
    title: T.subscriptions.customer,
    show: ({ _id, user }) => (
      <Link href={`/subscriptions/${_id}`} className="strong">
        <UserName id={user} />
      </Link>
    ),
  },
  { title: T.subscriptions.plan, show: ({ plan }) => <PlanName id={plan} /> },
  { title: T.status, show: (subscription) => <Standing {...subscription} /> },
  {
    title: T.subscriptions.last,
    align: 'right',
    show: ({ last_billed_amount, currency }) => money(last_billed_amount, currency),
  },
  { title: T.subscriptions.next, align: 'right', minor: true, show: (one) => day(one.next_billing_date) },
  { title: T.id, align: 'right', minor: true, show: ({ human_id }) => <code>{human_id}</code> },
];

export default function Subscriptions(): ReactNode {
  const client = useClient();
  const filters = useFilters();
  const plans = usePlans();
  const query = { ...asked(filters.query), sort: sortOf(filters, SORTS) };
  const load = (page: PageQuery): Promise<Subscription[]> =>
    client.get('/subscriptions', { params: { query: { ...page, ...query } } });
  const named = useNamed(load);
  return (
    <>
      <PageHead title={T.nav.subscriptions} lead={T.subscriptions.lead}>
        <ExportButton name="subscriptions" fields={EXPORTED.subscriptions} load={named} key={filters.key} />
      </PageHead>
      <FilterBar filters={filters}>
        <ChoiceFilter {...{ filters, name: 'status', label: T.status, values: STATUSES }} />
        <ChoiceFilter
          {...{ filters, name: 'plan', label: T.lists.plan }}
          values={plans.map(({ _id, name, human_id }) => [_id, name ?? human_id] as const)}
        />
        <ChoiceFilter
          {...{ filters, name: 'collection_state', label: T.subscriptions.collection, values: COLLECTION }}
        />
        <ChoiceFilter
          {...{ filters, name: 'held', label: T.subscriptions.held, values: T.subscriptions.heldValues }}
        />
        <UserFilter filters={filters} />
        <DateFilters filters={filters} />
        <SortFilter filters={filters} offered={SORTS} />
        <LinkedFilters filters={filters} />
      </FilterBar>
      <RecordList
        title={T.nav.subscriptions}
        of={['/subscriptions', filters.query]}
        columns={COLUMNS}
        empty={T.subscriptions.empty}
        load={load}
      />
    </>
  );
}

/** The parts of the address that the list knows; the service refuses invalid values. */
function asked({ held, ...given }: Readonly<Record<string, string>>): object {
  return { ...given, ...(held === undefined ? {} : { held: held === 'true' }) };
}

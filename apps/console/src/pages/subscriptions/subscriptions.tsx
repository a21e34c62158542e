import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { day, money } from '../../app/format';
import { useClient } from '../../app/session';
import { RecordList, type Column } from '../../lists/record-list';
import { ChoiceFilter, LinkedFilter, useFilters } from '../../lists/filters';
import { PlanName, UserName } from '../../lists/names';
import { T } from '../../texts';
import { Badge, PageHead } from '../../ui/parts';

type Subscription = Reply<'/subscriptions', 'get'>[number];

const STATUSES = ['CREATED', 'FUTURE', 'ACTIVE', 'PAUSED', 'NON_RENEWING', 'COMPLETED', 'CANCELLED'];
const COLLECTION = ['RETRYING', 'REQUIRES_AUTH', 'PAST_DUE'];
const SORTS = ['-created', 'created', '-updated', 'next_billing_date'] as const;

const COLUMNS: readonly Column<Subscription>[] = [
  {
    title: T.subscriptions.customer,
    show: ({ _id, user }) => (
      <Link href={`/subscriptions/${_id}`} className="strong">
        <UserName id={user} />
      </Link>
    ),
  },
  { title: T.subscriptions.plan, minor: true, show: ({ plan }) => <PlanName id={plan} /> },
  { title: T.status, show: (subscription) => <Standing {...subscription} /> },
  {
    title: T.subscriptions.last,
    align: 'right',
    minor: true,
    show: ({ last_billed_amount, currency }) => money(last_billed_amount, currency),
  },
  { title: T.subscriptions.next, align: 'right', minor: true, show: (one) => day(one.next_billing_date) },
  { title: T.id, align: 'right', minor: true, show: ({ human_id }) => <code>{human_id}</code> },
];

/** The status of a subscription, and its problems. */
export function Standing(one: Pick<Subscription, 'status' | 'collection_state' | 'held'>): ReactNode {
  return (
    <span className="badges">
      <Badge value={one.status} />
      {one.collection_state !== 'OK' && <Badge value={one.collection_state} />}
      {one.held !== null && <Badge value="held" />}
    </span>
  );
}

export default function Subscriptions(): ReactNode {
  const client = useClient();
  const filters = useFilters();
  const { sort = '-created', ...query } = filters.query;
  return (
    <>
      <PageHead title={T.nav.subscriptions} lead={T.subscriptions.lead} />
      <div className="filters">
        <ChoiceFilter {...{ filters, name: 'status', label: T.status, values: STATUSES }} />
        <ChoiceFilter
          {...{ filters, name: 'collection_state', label: T.subscriptions.collection, values: COLLECTION }}
        />
        <ChoiceFilter
          {...{ filters, name: 'held', label: T.subscriptions.held, values: T.subscriptions.heldValues }}
        />
        <ChoiceFilter
          {...{ filters, name: 'sort', label: T.sort, values: T.subscriptions.sorts }}
          standard={T.subscriptions.newest}
        />
        <LinkedFilter {...{ filters, name: 'user', label: T.oneUser }} />
        <LinkedFilter {...{ filters, name: 'plan', label: T.onePlan }} />
        <LinkedFilter {...{ filters, name: 'currency', label: T.oneCurrency(filters.of('currency')) }} />
        <LinkedFilter {...{ filters, name: 'test_clock', label: T.oneClock }} />
        <LinkedFilter {...{ filters, name: 'real_time', label: T.realTime }} />
      </div>
      <RecordList
        title={T.nav.subscriptions}
        of={['/subscriptions', filters.query]}
        columns={COLUMNS}
        empty={T.subscriptions.empty}
        load={(page) =>
          client.get('/subscriptions', {
            params: {
              query: { ...page, ...asked(query), sort: SORTS.find((one) => one === sort) ?? '-created' },
            },
          })
        }
      />
    </>
  );
}

/** The parts of the address that the list knows; the service refuses invalid values. */
function asked(given: Readonly<Record<string, string>>): object {
  const { status, collection_state, held, user, plan, currency, test_clock, real_time } = given;
  const values = {
    status,
    collection_state,
    user,
    plan,
    currency,
    test_clock,
    real_time,
    held: held === undefined ? undefined : held === 'true',
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

import { useQuery } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { day, words } from '../../app/format';
import { useClient } from '../../app/session';
import { CreateButton } from '../../forms/create-button';
import { RecordList, type Column } from '../../lists/record-list';
import { T } from '../../texts';
import { Badge, PageHead, Pending } from '../../ui/parts';

export type Webhook = Reply<'/webhooks', 'get'>[number];
export type Delivery = Reply<'/webhooks/{id}/deliveries', 'get'>[number];

/** The number of recent deliveries that show an endpoint's health. */
const LAST = 20;

const COLUMNS: readonly Column<Webhook>[] = [
  {
    title: T.webhooks.event,
    show: ({ _id, kinds, endpoint }) => (
      <>
        <Link href={`/webhooks/${_id}`} className="strong">
          {kinds.join(', ')}
        </Link>{' '}
        <code className="narrow">{endpoint}</code>
      </>
    ),
  },
  {
    title: T.webhooks.endpoint,
    minor: true,
    show: ({ endpoint }) => <code title={endpoint}>{endpoint}</code>,
  },
  { title: T.status, show: (webhook) => <Health {...webhook} /> },
  { title: T.webhooks.last, minor: true, show: ({ _id }) => <LastDeliveries id={_id} /> },
  { title: T.webhooks.since, align: 'right', minor: true, show: ({ created }) => day(created) },
];

export function Health({
  active,
  verified,
  reason,
}: Pick<Webhook, 'active' | 'verified' | 'reason'>): ReactNode {
  const state = active ? (verified ? 'verified' : 'unverified') : 'inactive';
  return (
    <span className="badges">
      <Badge value={state} />
      {reason !== null && <Badge value={reason} />}
    </span>
  );
}

/** Shows the last deliveries as a row of small bars, the newest at the right. */
function LastDeliveries({ id }: { readonly id: string }): ReactNode {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['/webhooks/{id}/deliveries', id, 'last'],
    queryFn: () =>
      client.get('/webhooks/{id}/deliveries', { params: { path: { id }, query: { size: LAST } } }),
    staleTime: 15_000,
  });
  if (data === undefined) return <Pending />;
  if (data.length === 0) return <span className="quiet">{T.webhooks.noneYet}</span>;
  const good = data.filter(({ status }) => status === 'SUCCEEDED').length;
  return (
    <span className="beats" role="img" aria-label={T.webhooks.recent(good, data.length)}>
      {data.toReversed().map(({ _id, status }) => (
        <i key={_id} className={status.toLowerCase()} title={words(status)} />
      ))}
    </span>
  );
}

export default function Webhooks(): ReactNode {
  const client = useClient();
  return (
    <>
      <PageHead title={T.nav.webhooks} lead={T.webhooks.lead}>
        <CreateButton kind="webhooks" />
      </PageHead>
      <RecordList
        title={T.nav.webhooks}
        of={['/webhooks']}
        columns={COLUMNS}
        empty={T.webhooks.empty}
        load={(page) => client.get('/webhooks', { params: { query: { ...page } } })}
      />
    </>
  );
}

import type { CommerceClient, Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { count, day } from '../../app/format';
import { useClient } from '../../app/session';
import { CreateButton } from '../../forms/create-button';
import { RecordList, type Column, type PageQuery } from '../../lists/record-list';
import { T } from '../../texts';
import { Badge, PageHead } from '../../ui/parts';
import { HourBars, shareOf } from './endpoint-health';
import type { Webhook } from './model';

type Standing = Reply<'/webhooks/health', 'get'>[number];

/** A webhook, and how its endpoint is; null for one created between the two requests. */
interface Listed extends Webhook {
  readonly standing: Standing | null;
}

const SHOWN_KINDS = 3;

const COLUMNS: readonly Column<Listed>[] = [
  {
    title: T.webhooks.event,
    show: ({ _id, kinds, endpoint }) => (
      <>
        <Link href={`/webhooks/${_id}`} className="strong whole">
          {listedKinds(kinds)}
        </Link>{' '}
        <code className="narrow">{endpoint}</code>
      </>
    ),
  },
  {
    title: T.webhooks.endpoint,
    minor: true,
    show: ({ endpoint }) => <code className="whole">{endpoint}</code>,
  },
  {
    title: T.status,
    show: ({ standing, ...webhook }) => (
      <>
        <Health {...webhook} /> {standing?.state === 'failing' && <Badge value={standing.state} />}
      </>
    ),
  },
  {
    title: T.webhooks.lastDay,
    minor: true,
    show: ({ standing }) => standing !== null && <LastDay {...standing} />,
  },
  { title: T.webhooks.since, align: 'right', minor: true, show: ({ created }) => day(created) },
];

/** All kinds of most webhooks, the first ones of others. */
function listedKinds(kinds: readonly string[]): string {
  const more = kinds.length - SHOWN_KINDS;
  const shown = kinds.slice(0, more > 1 ? SHOWN_KINDS : undefined).join(', ');
  return more > 1 ? T.webhooks.moreKinds(shown, more) : shown;
}

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

/** The attempts of a day, hour by hour, and the share of them that failed. */
function LastDay({ hours }: Standing): ReactNode {
  const { all, percent } = shareOf(hours);
  if (all === 0) return <span className="quiet">{T.webhooks.noneYet}</span>;
  return (
    <span className="last-day">
      <HourBars hours={hours} label={T.webhooks.health.share(count(all), percent)} small />
      <span className={percent > 0 ? 'strong' : 'quiet'}>{T.webhooks.failedShare(percent)}</span>
    </span>
  );
}

/** A page of webhooks, and how their endpoints are: two requests, however many there are. */
async function loaded(client: CommerceClient, query: PageQuery): Promise<Listed[]> {
  const [webhooks, standings] = await Promise.all([
    client.get('/webhooks', { params: { query } }),
    client.get('/webhooks/health', { params: { query } }),
  ]);
  const byId = new Map(standings.map((one) => [one.webhook, one]));
  return webhooks.map((webhook) => ({ ...webhook, standing: byId.get(webhook._id) ?? null }));
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
        load={(page) => loaded(client, page)}
      />
    </>
  );
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { away, count, moment, words } from '../../app/format';
import { useClient } from '../../app/session';
import { UserName } from '../../lists/names';
import { RecordList, type Column } from '../../lists/record-list';
import { ShortTable } from '../../lists/short-table';
import { T } from '../../texts';
import { Badge, Button, Note, PageHead, Section, Trouble } from '../../ui/parts';
import { Causes } from './causes';
import { LastCheckup } from './checkup';

type Subscription = Reply<'/subscriptions', 'get'>[number];
type Operations = Reply<'/operations', 'get'>;
type Queue = NonNullable<Operations['queues']>[number];

const REFRESH_MS = 5000;
/** Work that has waited longer than this shows that the workers do not keep up. */
const LATE_MS = 60_000;

/** Shows whether the service keeps up, and the work that waits for a decision. */
export default function Work(): ReactNode {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['/operations'],
    queryFn: () => client.get('/operations'),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageHead title={T.nav.work} lead={T.work.lead} />
      <Trouble error={error} />
      {data === undefined && error === null && <Note>{T.loading}</Note>}
      {data !== undefined && <DueWork operations={data} />}
      {data !== undefined && <Causes operations={data} />}
      <Section title={T.work.held} aside={<span className="quiet small">{T.work.heldLead}</span>}>
        <HeldList />
      </Section>
      {data !== undefined && <Queues operations={data} />}
      <LastCheckup />
    </>
  );
}

function DueWork({ operations }: { readonly operations: Operations }): ReactNode {
  const { work, at, held, held_capped } = operations;
  return (
    <div className="tiles">
      {work.map(({ work: name, due, capped, since }) => {
        const isLate = due === null || (since !== null && Number(at) - Number(since) > LATE_MS);
        const none = due === null ? T.work.catchesUp : T.work.keepsUp;
        return (
          <div key={name} className={`tile ${isLate ? 'bad' : 'good'}`}>
            <span className="name">{T.work.names[name]}</span>
            <span className="value">{shown(due, capped)}</span>
            <span className="quiet small">
              {since === null ? none : T.work.since(away(since, Number(at)))}
            </span>
          </div>
        );
      })}
      <Link href="/subscriptions?held=true" className={`tile ${held > 0 ? 'warn' : 'good'}`}>
        <span className="name">{T.work.held}</span>
        <span className="value">{held_capped ? T.work.moreThan(count(held)) : count(held)}</span>
        <span className="quiet small">{held > 0 ? T.work.waitsForYou : T.work.keepsUp}</span>
      </Link>
    </div>
  );
}

function shown(due: number | null, capped: boolean): string {
  if (due === null) return T.work.uncounted;
  if (due === 0) return T.work.nothingDue;
  return T.work.due(capped ? T.work.moreThan(count(due)) : count(due));
}

/** The queues, which all companies share and which show whether workers reach their jobs. */
function Queues({ operations: { queues, at } }: { readonly operations: Operations }): ReactNode {
  const standing = ({ paused, waiting_since: since }: Queue): ReactNode => {
    if (paused) return <Badge value="paused" />;
    const isLate = since !== null && Number(at) - Number(since) > LATE_MS;
    return <Badge value={isLate ? 'late' : 'running'} />;
  };
  const columns: readonly Column<Queue>[] = [
    {
      title: T.work.queue,
      show: ({ name }) => <span className="strong">{words(name.replaceAll('-', ' '))}</span>,
    },
    { title: T.work.purpose, minor: true, show: ({ purpose }) => <span className="whole">{purpose}</span> },
    { title: T.status, show: standing },
    {
      title: T.work.oldestJob,
      align: 'right',
      show: ({ waiting_since: since }) => (since === null ? T.none : away(since, Number(at))),
    },
  ];
  return (
    <Section title={T.work.queues} aside={<span className="quiet small">{T.work.queuesLead}</span>}>
      {queues === null && <Note>{T.work.noQueues}</Note>}
      {queues !== null && <ShortTable title={T.work.queues} columns={columns} rows={queues} />}
    </Section>
  );
}

const COLUMNS: readonly Column<Subscription>[] = [
  {
    title: T.subscriptions.customer,
    show: ({ _id, user }) => (
      <Link href={`/subscriptions/${_id}`} className="strong">
        <UserName id={user} />
      </Link>
    ),
  },
  { title: T.work.why, show: ({ held }) => (held === null ? T.none : T.work.reasons[held.reason]) },
  { title: T.work.heldSince, minor: true, show: ({ held }) => moment(held?.since ?? null) },
  { title: T.work.periods, align: 'right', minor: true, show: ({ held }) => held?.periods ?? T.none },
  { title: T.work.decide, align: 'right', show: ({ _id }) => <Release id={_id} /> },
];

function HeldList(): ReactNode {
  const client = useClient();
  return (
    <RecordList
      title={T.work.held}
      of={['/subscriptions', 'held']}
      columns={COLUMNS}
      empty={T.work.noneHeld}
      load={(page) => client.get('/subscriptions', { params: { query: { ...page, held: true } } })}
    />
  );
}

function Release({ id }: { readonly id: string }): ReactNode {
  const client = useClient();
  const cache = useQueryClient();
  const release = useMutation({
    mutationFn: () => client.post('/subscriptions/{id}/release', { params: { path: { id } } }),
    onSuccess: () => cache.invalidateQueries(),
  });
  return (
    <>
      <Button primary busy={release.isPending} onClick={() => release.mutate()}>
        {T.actions.release.button}
      </Button>
      <Trouble error={release.error} />
    </>
  );
}

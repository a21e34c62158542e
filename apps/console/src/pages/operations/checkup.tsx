import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { count, moment, words } from '../../app/format';
import { useClient } from '../../app/session';
import type { Column } from '../../lists/record-list';
import { ShortTable } from '../../lists/short-table';
import { T } from '../../texts';
import { Button, Section, Trouble } from '../../ui/parts';

type Checkup = Reply<'/operations/checkup', 'get'>;
type Finding = Checkup['findings'][number];

const KEY = ['/operations/checkup'];
/** The polling intervals: during a checkup, and otherwise, since other callers may request one. */
const PROGRESS_MS = 1000;
const REFRESH_MS = 15_000;

/** Shows the findings of the last checkup, and a button for the next one. */
export function LastCheckup(): ReactNode {
  const client = useClient();
  const cache = useQueryClient();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: () => client.get('/operations/checkup'),
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? PROGRESS_MS : REFRESH_MS),
  });
  const check = useMutation({
    mutationFn: () => client.post('/operations/checkup'),
    onSuccess: (queued) => {
      cache.setQueryData(KEY, queued);
    },
  });
  const busy = check.isPending || isUnderWay(data);
  const button = (
    <Button busy={busy} onClick={() => check.mutate()}>
      {busy ? T.checkup.checking : T.checkup.check}
    </Button>
  );
  return (
    <Section title={T.work.doctor} aside={button}>
      <p>{T.checkup.lead}</p>
      <Trouble error={check.error ?? error} />
      <p role="status" className="strong note-below">
        {data === undefined ? T.loading : standingOf(data)}
      </p>
      {data !== undefined && data.findings.length > 0 && <Findings checkup={data} />}
    </Section>
  );
}

function isUnderWay(checkup: Checkup | undefined): boolean {
  return checkup?.state === 'queued' || checkup?.state === 'running';
}

function standingOf({ state, checked, total, finished, incomplete }: Checkup): string {
  switch (state) {
    case 'none':
      return T.checkup.never;
    case 'queued':
      return T.checkup.queued;
    case 'running':
      return T.checkup.running(count(checked), count(total));
    case 'done': {
      const found = total === 0 ? T.checkup.nothing : T.checkup.found(count(total));
      const why = incomplete === null ? '' : ` ${T.checkup.incomplete[incomplete]}`;
      return `${T.checkup.done(moment(finished), count(checked))} ${found}${why}`;
    }
  }
}

function Findings({ checkup: { findings, total, repair } }: { readonly checkup: Checkup }): ReactNode {
  return (
    <>
      <p className="note-below">{T.checkup.repairLead}</p>
      <pre className="note-below">{repair}</pre>
      {total > findings.length && <p className="quiet small">{T.checkup.first(count(findings.length))}</p>}
      <div className="note-below">
        <ShortTable title={T.checkup.findings} columns={COLUMNS} rows={findings} />
      </div>
    </>
  );
}

const COLUMNS: readonly Column<Finding>[] = [
  { title: T.checkup.finding, minor: true, show: ({ kind }) => words(kind) },
  { title: T.checkup.record, show: (finding) => <RecordLink {...finding} /> },
  { title: T.checkup.detail, show: ({ detail }) => <span className="whole">{detail}</span> },
  {
    title: T.checkup.repair,
    align: 'right',
    minor: true,
    show: ({ repairable }) => (repairable ? T.checkup.byDoctor : T.checkup.byPerson),
  },
];

/** The page of a finding's record, by the first word of the finding's kind. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  subscription: (id) => `/subscriptions/${id}`,
  payment: (id) => `/payments?id=${id}`,
  coupon: (id) => `/coupons?id=${id}`,
  product: (id) => `/products?id=${id}`,
};

function RecordLink({ kind, id }: Finding): ReactNode {
  const page = PAGES[kind.split('.')[0] ?? ''];
  return page === undefined ? <code>{id}</code> : <Link href={page(id)}>{id}</Link>;
}

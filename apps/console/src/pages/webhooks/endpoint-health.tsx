import { useQuery } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';

import { away, count, hour, moment } from '../../app/format';
import { useClient } from '../../app/session';
import { ShortTable } from '../../lists/short-table';
import { T } from '../../texts';
import { Badge, Note, Section, Trouble } from '../../ui/parts';
import type { Webhook } from './model';

type Health = Reply<'/webhooks/{id}/health', 'get'>;
type Hour = Health['hours'][number];

const REFRESH_MS = 5000;

const HEIGHT = 64;
const STEP = 14;

/** How an endpoint answers, in the words of those who depend on it, and its attempts of the last day. */
export function EndpointHealth({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['/webhooks/{id}/health', webhook._id],
    queryFn: () => client.get('/webhooks/{id}/health', { params: { path: { id: webhook._id } } }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Section title={T.webhooks.state} aside={data !== undefined && <Badge value={data.state} />}>
      <Trouble error={error} />
      {data === undefined && error === null && <Note>{T.loading}</Note>}
      {data !== undefined && (
        <>
          <p role="status">{sentences(webhook, data).join(' ')}</p>
          <Hours health={data} />
        </>
      )}
    </Section>
  );
}

/** The state of an endpoint in sentences. */
function sentences({ active, verified, reason }: Webhook, health: Health): string[] {
  const { state, at, last_success, failing_since, next_attempt, waiting, capped } = health;
  const now = Number(at);
  const texts = T.webhooks.health;
  const said = [
    ...(active ? [] : [texts.off(reason)]),
    ...(active && !verified ? [texts.unverified] : []),
    state === 'failing' && failing_since !== null
      ? texts.failing(moment(failing_since), away(failing_since, now))
      : state === 'delivering'
        ? texts.delivering
        : texts.idle,
  ];
  if (last_success !== null) said.push(texts.lastSuccess(away(last_success, now)));
  if (waiting === null) said.push(texts.uncounted);
  else if (waiting > 0) said.push(texts.waiting(waiting, count(waiting), capped));
  if (next_attempt !== null)
    said.push(Number(next_attempt) <= now ? texts.nextNow : texts.next(away(next_attempt, now)));
  return said;
}

function Hours({ health: { hours, complete } }: { readonly health: Health }): ReactNode {
  const { all, percent } = shareOf(hours);
  if (all === 0) return null;
  const label = T.webhooks.health.share(count(all), percent);
  return (
    <div className="note-below">
      <HourBars hours={hours} label={label} />
      <p className="quiet small">
        {label}
        {complete ? '' : ` ${T.webhooks.health.incomplete}`}
      </p>
      <details>
        <summary>{T.webhooks.health.byHour}</summary>
        <ShortTable
          title={T.webhooks.health.byHour}
          columns={HOUR_COLUMNS}
          rows={hours.filter(({ attempts }) => attempts > 0).toReversed()}
        />
      </details>
    </div>
  );
}

/** All attempts of these hours, and the percentage that failed. */
export function shareOf(hours: readonly Hour[]): { readonly all: number; readonly percent: number } {
  const sum = (numberOf: (one: Hour) => number): number => hours.reduce((all, one) => all + numberOf(one), 0);
  const all = sum(({ attempts }) => attempts);
  return { all, percent: all === 0 ? 0 : Math.round((sum(({ failed }) => failed) / all) * 100) };
}

interface HourBarsProps {
  readonly hours: readonly Hour[];
  readonly label: string;
  /** As high as a row of a table. */
  readonly small?: boolean;
}

/** The attempts hour by hour, those that failed on top. */
export function HourBars({ hours, label, small = false }: HourBarsProps): ReactNode {
  const most = Math.max(...hours.map(({ attempts }) => attempts));
  return (
    <svg
      className={small ? 'hours small-hours' : 'hours'}
      viewBox={`0 0 ${String(hours.length * STEP)} ${String(HEIGHT)}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {hours.map((one, index) => (
        <HourBar key={Number(one.from)} one={one} x={index * STEP} most={most} />
      ))}
    </svg>
  );
}

interface HourBarProps {
  readonly one: Hour;
  readonly x: number;
  readonly most: number;
}

function HourBar({ one: { from, attempts, failed }, x, most }: HourBarProps): ReactNode {
  const high = (many: number): number => (many === 0 ? 0 : Math.max(2, (many / most) * HEIGHT));
  const [bad, good] = [high(failed), high(attempts - failed)];
  return (
    <g>
      <title>{T.webhooks.health.hour(hour(from), attempts, failed)}</title>
      <rect className="none" x={x + 1} y={HEIGHT - 2} width={STEP - 3} height={2} />
      <rect className="good" x={x + 1} y={HEIGHT - good} width={STEP - 3} height={good} />
      <rect className="bad" x={x + 1} y={Math.max(0, HEIGHT - good - bad)} width={STEP - 3} height={bad} />
    </g>
  );
}

const HOUR_COLUMNS = [
  { title: T.webhooks.health.from, show: ({ from }: Hour) => hour(from) },
  { title: T.webhooks.attempts, align: 'right' as const, show: ({ attempts }: Hour) => count(attempts) },
  {
    title: T.webhooks.health.failed,
    align: 'right' as const,
    show: ({ failed, attempts }: Hour) =>
      `${count(failed)} (${String(Math.round((failed / attempts) * 100))} %)`,
  },
];

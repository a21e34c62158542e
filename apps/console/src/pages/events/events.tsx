import { useState, type ReactNode } from 'react';

import { words } from '../../app/format';
import { fieldsOfBody } from '../../forms/schema';
import { ChoiceFilter, useFilters } from '../../lists/filters/filters';
import type { Column } from '../../lists/record-list';
import { ShortTable } from '../../lists/short-table';
import { T } from '../../texts';
import { Badge, Button, Note, PageHead, Trouble, When } from '../../ui/parts';
import { EventDrawer } from './event-drawer';
import { IdFilter } from './id-filter';
import { RecordLink } from './record-link';
import { MOST_SHOWN, useEventLog, type EventFilter, type LoggedEvent } from './use-event-log';

/** The event log, the newest first, which follows what happens until it is paused. */
export default function Events(): ReactNode {
  const filters = useFilters();
  const [isPaused, setPaused] = useState(false);
  const [opened, setOpened] = useState<LoggedEvent | null>(null);
  const filter = filterOf(filters.query);
  const { data, error } = useEventLog(filter, isPaused);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <PageHead title={T.nav.events} lead={T.events.lead}>
        <Button primary={isPaused} aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? T.events.follow : T.events.pause}
        </Button>
      </PageHead>
      <div className="filters">
        <ChoiceFilter {...{ filters, name: 'kind', label: T.events.kind, values: KINDS }} />
        <IdFilter {...{ filters, name: 'object', label: T.events.object }} />
        <p className="quiet small" role="status">
          {isPaused ? T.events.paused : T.events.following}
        </p>
      </div>
      <Trouble error={error} />
      {data === undefined && error === null && <Note>{T.loading}</Note>}
      {data?.length === 0 && <Note>{isFiltered ? T.events.noMatch : T.events.empty}</Note>}
      {data !== undefined && data.length > 0 && (
        <>
          <ShortTable title={T.nav.events} columns={columnsOf(setOpened)} rows={data.toReversed()} />
          {data.length === MOST_SHOWN && (
            <p className="quiet small note-below">{T.events.most(MOST_SHOWN)}</p>
          )}
        </>
      )}
      {opened !== null && <EventDrawer key={opened.id} event={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function filterOf({ kind = '', object = '' }: Readonly<Record<string, string>>): EventFilter {
  return {
    ...(kind === '' ? {} : { kind: kind as NonNullable<EventFilter['kind']> }),
    ...(object === '' ? {} : { object }),
  };
}

/** The kinds of events as the API document lists them. */
const KINDS = fieldsOfBody('Event', 'events').find(({ name }) => name === 'kind')?.schema.enum ?? [];

function columnsOf(open: (event: LoggedEvent) => void): readonly Column<LoggedEvent>[] {
  return [
    { title: T.date, show: ({ created }) => <When at={new Date(created)} /> },
    {
      title: T.events.what,
      show: (event) => (
        <button type="button" className="link" onClick={() => open(event)}>
          {words(event.kind)}
        </button>
      ),
    },
    { title: T.events.record, show: (event) => <RecordLink event={event} /> },
    { title: T.status, minor: true, show: (event) => <StatusOf event={event} /> },
    {
      title: T.events.changed,
      minor: true,
      show: ({ previous_data }) => (
        <span className="whole">{Object.keys(previous_data).map(words).join(', ')}</span>
      ),
    },
  ];
}

function StatusOf({ event: { object } }: { readonly event: LoggedEvent }): ReactNode {
  const { status } = object as { readonly status?: unknown };
  return typeof status === 'string' ? <Badge value={status} /> : T.none;
}

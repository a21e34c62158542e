import { useState, type ReactNode } from 'react';

import { now } from '../../app/clock';
import { away, day } from '../../app/format';
import { useClient, useSession } from '../../app/session';
import { CreateButton } from '../../forms/create-button';
import { ChoiceFilter, LinkedFilter, useFilters } from '../../lists/filters/filters';
import { RecordList, type Column } from '../../lists/record-list';
import { T } from '../../texts';
import { Badge, PageHead } from '../../ui/parts';
import { Secret } from '../../ui/secret';
import { KeyDrawer } from './key-drawer';
import { isLive, standingOf, type Key } from './key-lives';

/** The company's keys, with their creator, last use and expiry. */
export default function Keys(): ReactNode {
  const client = useClient();
  const { keys } = useSession();
  const filters = useFilters();
  const [opened, setOpened] = useState<Key | null>(null);
  return (
    <>
      <PageHead title={T.nav.keys} lead={T.keys.lead}>
        <CreateButton kind="keys" shown={({ key }) => <Secret label={T.keys.newKey} text={String(key)} />} />
      </PageHead>
      <div className="filters">
        <ChoiceFilter {...{ filters, name: 'kind', label: T.keys.kind, values: KINDS }} />
        <LinkedFilter {...{ filters, name: 'made_by', label: T.keys.oneMaker }} />
      </div>
      <RecordList
        title={T.nav.keys}
        of={['/keys', filters.query]}
        columns={columnsOf(keys, setOpened, (id) => filters.set('made_by', id))}
        empty={T.keys.empty}
        load={(page) => client.get('/keys', { params: { query: { ...page, ...filters.query } } })}
      />
      {opened !== null && <KeyDrawer key={opened._id} record={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

const KINDS = Object.entries(T.keys.kinds);

function columnsOf(
  own: readonly string[],
  open: (key: Key) => void,
  narrow: (maker: string) => void,
): readonly Column<Key>[] {
  return [
    {
      title: T.keys.key,
      show: (key) => (
        <button type="button" className="link" onClick={() => open(key)}>
          <code>{`${key.kind === 'api' ? 'pk' : 'sk'}_${key.mode}_…${key._id.slice(-8)}`}</code>
        </button>
      ),
    },
    { title: T.keys.kind, minor: true, show: ({ kind }) => T.keys.kinds[kind] },
    {
      title: T.status,
      show: (key) => (
        <span className="badges">
          <Badge value={standingOf(key, now())} />
          {own.includes(key._id) && <Badge value="yours" />}
        </span>
      ),
    },
    {
      title: T.keys.madeBy,
      minor: true,
      show: ({ made_by }) =>
        made_by === null ? (
          <span className="quiet">{T.keys.commandLine}</span>
        ) : (
          <button
            type="button"
            className="link"
            aria-label={T.keys.alsoMade(made_by.slice(-8))}
            onClick={() => narrow(made_by)}
          >
            <code>…{made_by.slice(-8)}</code>
          </button>
        ),
    },
    { title: T.keys.lastUsed, minor: true, align: 'right', show: ({ last_used }) => used(last_used) },
    { title: T.keys.expires, minor: true, align: 'right', show: expiry },
    { title: T.records.made, minor: true, align: 'right', show: ({ created }) => day(created) },
  ];
}

function used(at: Date | null): string {
  return at === null ? T.keys.never : away(at, now());
}

function expiry(key: Key): string {
  if (key.revoked !== null) return T.none;
  if (key.expires === null) return T.keys.never;
  return isLive(key, now()) ? away(key.expires, now()) : day(key.expires);
}

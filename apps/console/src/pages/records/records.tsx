import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, Redirect } from 'wouter';

import { useClient } from '../../app/session';
import { CreateButton } from '../../forms/create-button';
import { EditDrawer } from '../../forms/edit-drawer';
import { isKind, type KindName } from '../../forms/kinds';
import type { Saved } from '../../forms/record-form';
import { useFilters } from '../../lists/filters';
import { RecordList, type Column } from '../../lists/record-list';
import { T } from '../../texts';
import { PageHead } from '../../ui/parts';
import { COLUMNS, type ListedKind } from './record-columns';

/** The list of products, plans, coupons, customers or orders, from which records are opened, created and changed. */
export default function Records({ kind }: { readonly kind: string }): ReactNode {
  if (!isKind(kind) || !isListed(kind)) return <Redirect to="/" />;
  return <Listed kind={kind} />;
}

function isListed(kind: KindName): kind is ListedKind {
  return kind in COLUMNS;
}

function Listed({ kind }: { readonly kind: ListedKind }): ReactNode {
  const client = useClient();
  const filters = useFilters();
  const [opened, setOpened] = useState<Saved | null>(null);
  const linked = useLinked(kind, filters.of('id'));
  const shown = opened ?? linked;
  const close = (): void => {
    setOpened(null);
    if (filters.of('id') !== '') filters.set('id', '');
  };
  return (
    <>
      <PageHead title={T.nav[kind]} lead={T.records[kind].lead}>
        <CreateButton kind={kind} />
      </PageHead>
      <RecordList
        title={T.nav[kind]}
        of={[`/${kind}`]}
        columns={[openColumn(setOpened), ...COLUMNS[kind]]}
        empty={T.records[kind].empty}
        load={(page) => client.get(`/${kind}`, { params: { query: { ...page } } })}
      />
      {shown !== null && (
        <EditDrawer key={shown._id} kind={kind} record={shown} onClose={close}>
          {kind === 'users' && <OfUser id={shown._id} />}
        </EditDrawer>
      )}
    </>
  );
}

/** The record that the address names. */
function useLinked(kind: ListedKind, id: string): Saved | null {
  const client = useClient();
  const { data } = useQuery({
    queryKey: [`/${kind}/{id}`, id],
    queryFn: async () => ({ ...(await client.get(`/${kind}/{id}`, { params: { path: { id } } })) }),
    enabled: id !== '',
  });
  return id === '' ? null : (data ?? null);
}

function openColumn(open: (record: Saved) => void): Column<{ readonly _id: string }> {
  const nameOf = (record: object): string => {
    const { name, human_id, code } = record as Readonly<Record<string, string | null | undefined>>;
    return name ?? code ?? human_id ?? T.unnamed;
  };
  return {
    title: T.records.name,
    show: (record) => (
      <button type="button" className="link" onClick={() => open({ ...record })}>
        {nameOf(record)}
      </button>
    ),
  };
}

function OfUser({ id }: { readonly id: string }): ReactNode {
  return (
    <p className="actions">
      <Link href={`/subscriptions?user=${id}`}>{T.nav.subscriptions}</Link>
      <Link href={`/payments?user=${id}`}>{T.nav.payments}</Link>
    </p>
  );
}

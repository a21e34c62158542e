import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, Redirect } from 'wouter';

import { useClient } from '../../app/session';
import { CreateButton } from '../../forms/create-button';
import { EditDrawer } from '../../forms/edit-drawer';
import { isKind, type KindName } from '../../forms/kinds';
import type { Saved } from '../../forms/record-form';
import { ExportButton } from '../../lists/export/export-button';
import { EXPORTED } from '../../lists/export/export-fields';
import { useFilters } from '../../lists/filters/filters';
import { hasPage } from '../../lists/paged-kinds';
import { RecordList, type Column, type PageQuery } from '../../lists/record-list';
import { useNamed } from '../../lists/export/with-customers';
import { T } from '../../texts';
import { PageHead } from '../../ui/parts';
import { COLUMNS, type ListedKind } from './record-columns';
import { OrderFilters, UserFilters, queryOf } from './record-filters';

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
  const query = queryOf(kind, filters);
  const load = (page: PageQuery): Promise<{ readonly _id: string; readonly user?: string }[]> =>
    client.get(`/${kind}`, { params: { query: { ...page, ...query } } });
  const named = useNamed(load);
  return (
    <>
      <PageHead title={T.nav[kind]} lead={T.records[kind].lead}>
        <ExportButton
          name={T.nav[kind].toLowerCase()}
          fields={EXPORTED[kind]}
          load={named}
          key={filters.key}
        />
        <CreateButton kind={kind} />
      </PageHead>
      {kind === 'users' && <UserFilters filters={filters} />}
      {kind === 'orders' && <OrderFilters filters={filters} />}
      <RecordList
        title={T.nav[kind]}
        of={[`/${kind}`, query]}
        columns={[hasPage(kind) ? pageColumn(kind) : openColumn(setOpened), ...COLUMNS[kind]]}
        empty={Object.keys(query).length > 1 ? T.records.noMatch : T.records[kind].empty}
        load={load}
      />
      {shown !== null && <EditDrawer key={shown._id} kind={kind} record={shown} onClose={close} />}
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

function nameOf(record: object): string {
  const { name, human_id, code } = record as Readonly<Record<string, string | null | undefined>>;
  return name ?? code ?? human_id ?? T.unnamed;
}

function pageColumn(kind: ListedKind): Column<{ readonly _id: string }> {
  return {
    title: T.records.name,
    show: (record) => (
      <Link href={`/${kind}/${record._id}`} className="strong">
        {nameOf(record)}
      </Link>
    ),
  };
}

function openColumn(open: (record: Saved) => void): Column<{ readonly _id: string }> {
  return {
    title: T.records.name,
    show: (record) => (
      <button type="button" className="link" onClick={() => open({ ...record })}>
        {nameOf(record)}
      </button>
    ),
  };
}

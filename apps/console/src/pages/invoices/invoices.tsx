import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { useClient } from '../../app/session';
import { signedMoney } from '../../lists/document-amounts';
import { DOCUMENT_COLUMNS } from '../../lists/documents';
import { ExportButton } from '../../lists/export/export-button';
import { EXPORTED } from '../../lists/export/export-fields';
import { FilterBar } from '../../lists/filters/filter-bar';
import { ChoiceFilter, LinkedFilters, useFilters } from '../../lists/filters/filters';
import { UserLink } from '../../lists/names';
import { DateFilters } from '../../lists/filters/range-filters';
import { RecordList, type Column, type PageQuery } from '../../lists/record-list';
import { UserFilter } from '../../lists/filters/user-filter';
import { useNamed } from '../../lists/export/with-customers';
import { T } from '../../texts';
import { PageHead } from '../../ui/parts';
import { rowOf, type Invoice } from './model';
import { WaitingInvoices } from './waiting-invoices';

const KINDS = Object.entries(T.invoices.kinds);

const { number, date, gross } = DOCUMENT_COLUMNS;

const COLUMNS: readonly Column<Invoice>[] = [
  number,
  { title: T.invoices.kind, minor: true, show: ({ kind }) => T.invoices.kinds[kind] },
  { title: T.subscriptions.customer, show: ({ user }) => <UserLink id={user} /> },
  date,
  { title: T.invoices.vat, align: 'right', minor: true, show: (one) => signedMoney(one, one.tax) },
  gross,
];

/** The invoices and credit notes, the newest first. */
export default function Invoices(): ReactNode {
  const client = useClient();
  const filters = useFilters();
  const { query } = filters;
  const load = (page: PageQuery): Promise<Invoice[]> =>
    client.get('/invoices', { params: { query: { ...page, ...query } } });
  const rows = useNamed(async (page) => (await load(page)).map(rowOf));
  const isNarrowed = Object.keys(query).length > 0;
  return (
    <>
      <PageHead title={T.nav.invoices} lead={T.invoices.lead}>
        <Link href="/exchange_rates" className="button">
          {T.rates.title}
        </Link>
        <ExportButton name="invoices" fields={EXPORTED.invoices} load={rows} key={filters.key} />
      </PageHead>
      <WaitingInvoices />
      <FilterBar filters={filters}>
        <ChoiceFilter {...{ filters, name: 'kind', label: T.invoices.kind, values: KINDS }} />
        <UserFilter filters={filters} />
        <DateFilters filters={filters} />
        <LinkedFilters filters={filters} />
      </FilterBar>
      <RecordList
        title={T.nav.invoices}
        of={['/invoices', query]}
        columns={COLUMNS}
        empty={isNarrowed ? T.invoices.noMatch : <NoInvoice />}
        load={load}
      />
    </>
  );
}

/** Leads to the first thing to do: a company without a seller has no invoices. */
function NoInvoice(): ReactNode {
  const client = useClient();
  const { data } = useQuery({ queryKey: ['/company'], queryFn: () => client.get('/company') });
  if (data?.seller !== null) return T.invoices.empty;
  return (
    <>
      {T.invoices.noSeller} <Link href="/company">{T.invoices.setUp}</Link>
    </>
  );
}

import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { calendarDay } from '../app/format';
import { useClient } from '../app/session';
import { T } from '../texts';
import { Section } from '../ui/parts';
import { signedMoney } from './document-amounts';
import type { Column } from './record-list';
import { ShortTable } from './short-table';

type Invoice = Reply<'/invoices', 'get'>[number];
type Payment = Reply<'/payments/{id}', 'get'>;

/** The newest documents that are shown beside another record. */
const SHOWN = 8;

/** A document is numbered a moment after its payment or refund: it is waited for with so many reads. */
const SOON_MS = 1500;
const MOST_READS = 5;

/** The record whose invoices and credit notes are meant. */
interface Whose {
  readonly payment?: string;
  readonly subscription?: string;
  readonly user?: string;
}

/** @param expected how many there will be soon, in a company with invoices */
export function useDocuments(whose: Whose, expected = 0): UseQueryResult<Invoice[]> {
  const client = useClient();
  return useQuery({
    queryKey: ['/invoices', 'of', whose, expected],
    queryFn: () => client.get('/invoices', { params: { query: { ...whose, size: SHOWN } } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data !== undefined && data.length < expected && dataUpdateCount < MOST_READS ? SOON_MS : false,
  });
}

/** The number of documents of a payment: its invoice, and a credit note for each refund. */
function expectedOf({ status, refunds }: Payment): number {
  const isCollected = ['SUCCEEDED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED'].includes(status);
  return isCollected ? 1 + refunds.filter((one) => one.status === 'SUCCEEDED').length : 0;
}

/** The columns that every list of documents has. */
export const DOCUMENT_COLUMNS = {
  number: {
    title: T.invoices.number,
    show: ({ _id, number }) => (
      <Link href={`/invoices/${_id}`} className="strong">
        {number}
      </Link>
    ),
  },
  date: { title: T.invoices.date, minor: true, show: ({ content }) => calendarDay(content.issue_date) },
  gross: { title: T.invoices.gross, align: 'right', show: (one) => signedMoney(one, one.gross) },
} as const satisfies Readonly<Record<string, Column<Invoice>>>;

const COLUMNS: readonly Column<Invoice>[] = Object.values(DOCUMENT_COLUMNS);

/** The newest invoices and credit notes of a record; nothing where it has none. */
export function Documents(whose: Whose): ReactNode {
  const { data = [] } = useDocuments(whose);
  if (data.length === 0) return null;
  const all = new URLSearchParams({ ...whose }).toString();
  const link = data.length < SHOWN ? undefined : <Link href={`/invoices?${all}`}>{T.invoices.all}</Link>;
  return (
    <Section title={T.nav.invoices} aside={link}>
      <ShortTable title={T.nav.invoices} columns={COLUMNS} rows={data} />
    </Section>
  );
}

/** Links to the invoice of a payment and its credit notes; nothing where there are none. */
export function DocumentLinks({ payment }: { readonly payment: Payment }): ReactNode {
  const { data = [] } = useDocuments({ payment: payment._id }, expectedOf(payment));
  if (data.length === 0) return null;
  return (
    <div>
      <h3>{T.nav.invoices}</h3>
      <ul className="explanation">
        {data.toReversed().map((one) => (
          <li key={one._id}>
            <Link href={`/invoices/${one._id}`}>{T.invoice.titles[one.kind](one.number)}</Link>
            <span className="strong">{signedMoney(one, one.gross)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { languageName } from '../../app/code-names';
import { calendarDay, moment, money } from '../../app/format';
import { useClient } from '../../app/session';
import { useDocuments } from '../../lists/documents';
import { UserLink } from '../../lists/names';
import { T } from '../../texts';
import { Facts } from '../../ui/facts';
import { Note, PageHead, Section, Trouble } from '../../ui/parts';
import { Downloads } from './downloads';
import { InvoiceContent } from './invoice-content';
import type { Invoice } from './model';

/** An invoice or a credit note: its content, and the records that it belongs to. */
export default function InvoicePage({ id }: { readonly id: string }): ReactNode {
  const client = useClient();
  const { data: invoice, error } = useQuery({
    queryKey: ['/invoices/{id}', id],
    queryFn: () => client.get('/invoices/{id}', { params: { path: { id } } }),
    staleTime: Infinity,
  });
  if (invoice === undefined) return error === null ? <Note>{T.loading}</Note> : <Trouble error={error} />;
  const { kind, number, content } = invoice;
  return (
    <>
      <PageHead
        title={T.invoice.titles[kind](number)}
        lead={T.invoice.dated(calendarDay(content.issue_date))}
      >
        <Downloads invoice={invoice} />
      </PageHead>
      <div className="columns two-to-one">
        <InvoiceContent invoice={invoice} />
        <Section title={T.invoice.facts}>
          <FactsOf invoice={invoice} />
        </Section>
      </div>
    </>
  );
}

function FactsOf({ invoice }: { readonly invoice: Invoice }): ReactNode {
  const { user, payment, content, created, currency } = invoice;
  const { subject } = content;
  const { data: documents = [] } = useDocuments({ payment });
  const corrects = invoice.preceding !== null;
  const linked = documents.filter(({ preceding }) => (preceding === null) === corrects);
  const title = corrects ? T.invoice.preceding : T.invoice.corrections;
  return (
    <Facts
      facts={[
        [T.invoice.customer, <UserLink key="user" id={user} />],
        ...(subject === null
          ? []
          : ([
              [
                T.invoice.subject[subject.kind],
                <Link key="subject" href={`/${subject.kind}s/${subject.id}`}>
                  {subject.human_id}
                </Link>,
              ],
            ] as const)),
        [
          T.invoice.payment,
          <Link key="payment" href={`/payments?id=${payment}`}>
            {money(content.paid, currency)}
          </Link>,
        ],
        ...(linked.length === 0 ? [] : ([[title, <Numbers key="linked" documents={linked} />]] as const)),
        [T.invoice.language, languageName(content.locale)],
        [T.invoice.issued, moment(created)],
      ]}
    />
  );
}

function Numbers({ documents }: { readonly documents: readonly Invoice[] }): ReactNode {
  return documents.map(({ _id, number }) => (
    <div key={_id}>
      <Link href={`/invoices/${_id}`}>{number}</Link>
    </div>
  ));
}

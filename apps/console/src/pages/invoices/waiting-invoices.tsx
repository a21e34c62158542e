import { useQuery } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { useClient } from '../../app/session';
import { T } from '../../texts';
import { Section } from '../../ui/parts';

type Waiting = Reply<'/operations', 'get'>['waiting_invoices'][number];

/** The service names so many. */
const NAMED = 5;
const REFRESH_MS = 5000;

/** The invoices that could not be made yet, and why; nothing where none waits. */
export function WaitingInvoices(): ReactNode {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['/operations'],
    queryFn: () => client.get('/operations'),
    refetchInterval: REFRESH_MS,
  });
  const waiting = data?.waiting_invoices ?? [];
  if (waiting.length === 0) return null;
  return (
    <Section title={T.invoices.waiting}>
      <ul className="causes">
        {waiting.map((one, index) => (
          <li key={index}>
            <WaitingInvoice {...one} />
          </li>
        ))}
      </ul>
      {waiting.length >= NAMED && <p className="quiet small note-below">{T.invoices.moreWait}</p>}
    </Section>
  );
}

/** Why an invoice waits, with a link to its payment. */
export function WaitingInvoice({ payment, error }: Waiting): ReactNode {
  return <Link href={`/payments?id=${payment}`}>{T.invoices.waits(error)}</Link>;
}

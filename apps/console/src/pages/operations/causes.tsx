import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { away, count } from '../../app/format';
import { T } from '../../texts';
import { Section } from '../../ui/parts';
import { WaitingInvoice } from '../invoices/waiting-invoices';

type Operations = Reply<'/operations', 'get'>;

/** Work that has waited longer than this needs an explanation. */
const LATE_MS = 60_000;

/** Names what work waits for: a hold, an endpoint, a decision, or workers. Nothing while all keeps up. */
export function Causes({ operations }: { readonly operations: Operations }): ReactNode {
  const causes = causesOf(operations);
  if (causes.length === 0) return null;
  return (
    <Section title={T.work.causes}>
      <ul className="causes">
        {causes.map(({ key, shown }) => (
          <li key={key}>{shown}</li>
        ))}
      </ul>
    </Section>
  );
}

interface Cause {
  readonly key: string;
  readonly shown: ReactNode;
}

function causesOf(operations: Operations): Cause[] {
  const { at, work, billing_hold, held, held_capped, endpoints, waiting_invoices } = operations;
  const causes: Cause[] = [];
  if (billing_hold !== null)
    causes.push({ key: 'hold', shown: T.work.installationHeld(away(billing_hold, Number(at))) });
  for (const { webhook, endpoint, due } of endpoints) {
    const shown = (
      <>
        {T.work.waitFor(due, count(due))} <Link href={`/webhooks/${webhook}`}>{endpoint}</Link>
      </>
    );
    causes.push({ key: webhook, shown });
  }
  for (const waiting of waiting_invoices) {
    causes.push({ key: `invoice ${waiting.payment}`, shown: <WaitingInvoice {...waiting} /> });
  }
  if (held > 0) {
    const many = held_capped ? T.work.moreThan(count(held)) : count(held);
    const shown = <Link href="/subscriptions?held=true">{T.work.heldHere(held, many)}</Link>;
    causes.push({ key: 'held', shown });
  }
  for (const { work: name, since } of work) {
    const isLate = since !== null && Number(at) - Number(since) > LATE_MS;
    const isExplained = name === 'deliveries' ? endpoints.length > 0 : billing_hold !== null;
    if (isLate && !isExplained) causes.push({ key: name, shown: T.work.noWorker(T.work.names[name]) });
  }
  return causes;
}

import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { T } from '../../texts';
import type { LoggedEvent } from './use-event-log';

/** The page of an event's record, by the type of the record. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  subscription: (id) => `/subscriptions/${id}`,
  payment: (id) => `/payments?id=${id}`,
  invoice: (id) => `/invoices/${id}`,
  order: (id) => `/orders/${id}`,
  user: (id) => `/users/${id}`,
};

/** Links to the record of an event. */
export function RecordLink({ event: { object_type, object } }: { readonly event: LoggedEvent }): ReactNode {
  const { _id: id, human_id, name, number } = object as Readonly<Record<string, string | null | undefined>>;
  if (id == null) return T.none;
  const shown = name ?? number ?? human_id ?? `…${id.slice(-8)}`;
  const page = PAGES[object_type];
  return page === undefined ? <code>{shown}</code> : <Link href={page(id)}>{shown}</Link>;
}

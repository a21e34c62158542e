import type { CommerceClient } from 'commerce-service-client';

import { useClient } from '../../app/session';
import type { PageQuery } from '../record-list';

/** Reads a page of a list. */
type Load<R> = (page: PageQuery) => Promise<readonly R[]>;

/** The customer of a record, as a spreadsheet names them. */
interface Named {
  readonly customer: string | null;
  readonly customer_email: string | null;
}

/** The same list with the name and e-mail of each record's customer, if it has one: one request more for each page. */
export function useNamed<R extends { readonly user?: string }>(load: Load<R>): Load<R & Partial<Named>> {
  const client = useClient();
  return async (page) => {
    const records = await load(page);
    const named = await customersOf(client, records);
    return records.map((record) => ({ ...record, ...named.get(record.user ?? '') }));
  };
}

async function customersOf(
  client: CommerceClient,
  records: readonly { readonly user?: string }[],
): Promise<Map<string, Named>> {
  const ids = [...new Set(records.flatMap(({ user }) => user ?? []))];
  if (ids.length === 0) return new Map();
  const found = await client.get('/users', { params: { query: { ids, size: ids.length } } });
  return new Map(found.map(({ _id, name, email }) => [_id, { customer: name, customer_email: email }]));
}

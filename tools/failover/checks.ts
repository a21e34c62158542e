import type { Stack } from '@commerce/stack';
import { eventually, idIn, providerCharges, type Client, type MerchantEndpoint } from '@commerce/testing';

import type { Load } from './load.js';

/** The longest that the worker may take to finish everything. */
const PATIENCE_MS = 120_000;

interface Listed {
  readonly _id: { readonly $oid: string };
  readonly status: string;
}

/** A company, what it was told, and what it acknowledged. */
export interface Loaded {
  readonly load: Load;
  readonly endpoint: MerchantEndpoint;
}

/** Returns the errors after the load, in words: acknowledged work that was lost, and double charges. */
export async function check(companies: readonly Loaded[], stack: Stack): Promise<string[]> {
  const wrong: string[] = [];
  let payments = 0;
  for (const company of companies) {
    const found = await checkCompany(company);
    wrong.push(...found.wrong);
    payments += found.payments;
  }
  const charges = await chargesOf(stack);
  if (charges !== payments)
    wrong.push(`the provider charged ${String(charges)} times for ${String(payments)} payments`);
  return wrong;
}

async function checkCompany({ load, endpoint }: Loaded): Promise<{ wrong: string[]; payments: number }> {
  const { api } = load;
  const wrong: string[] = [];
  for (const id of load.users) {
    const { status } = await api.get(`/users/${id}`);
    if (status !== 200) wrong.push(`user ${id} was acknowledged and is answered by ${String(status)}`);
  }
  for (const id of load.subscriptions) {
    const all = await eventually(
      () => api.read<Listed[]>(`/subscriptions/${id}/payments`, { size: 100 }),
      (found) => found.length > 0 && found.every(({ status }) => status === 'SUCCEEDED'),
      PATIENCE_MS,
      { what: `the payment of subscription ${id}`, pauseMs: () => 500 },
    );
    if (all.length !== 1) wrong.push(`subscription ${id} has ${String(all.length)} payments`);
  }
  for (const id of load.orders) {
    const { status } = await api.read<Listed>(`/orders/${id}`);
    if (status !== 'PAID') wrong.push(`order ${id} was acknowledged and is ${status}`);
  }
  const users = (await listed(api, '/users')).map(idIn);
  const payments = (await listed(api, '/payments')).map(idIn);
  const counts = [
    ['users', load.users.size, users.length],
    ['payments', load.subscriptions.size + load.orders.size, payments.length],
  ] as const;
  for (const [what, acknowledged, found] of counts)
    if (acknowledged !== found)
      wrong.push(`${String(acknowledged)} ${what} were acknowledged, ${String(found)} are there`);
  const untold = [
    ...(await missingEvents(endpoint, 'user.created', users)),
    ...(await missingEvents(endpoint, 'payment.succeeded', payments)),
  ];
  return { wrong: [...wrong, ...untold], payments: payments.length };
}

async function missingEvents(
  { messages }: MerchantEndpoint,
  kind: string,
  records: readonly string[],
): Promise<string[]> {
  const told = (): Set<string> =>
    new Set(
      messages
        .filter((message) => message.kind === kind)
        .map(({ object }) => (object as { _id: string })._id),
    );
  const all = (): boolean => records.every((id) => told().has(id));
  // The first attempts may have failed during the change of the primary; the next one follows after half a minute.
  await eventually(all, Boolean, PATIENCE_MS, { what: 'all events', pauseMs: () => 500 }).catch(() => false);
  const heard = told();
  return records.filter((id) => !heard.has(id)).map((id) => `${kind} of ${id} was not delivered`);
}

/** The events that an endpoint has accepted more than once, in words. */
export function repeatedEvents(companies: readonly Loaded[]): string[] {
  return companies.flatMap(({ endpoint }) => {
    const keys = endpoint.messages.map(({ kind, object }) => `${kind} of ${(object as { _id: string })._id}`);
    const repeated = new Set(keys.filter((key, index) => keys.indexOf(key) !== index));
    return [...repeated].map((key) => `${key} was delivered twice`);
  });
}

async function listed(api: Client, path: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await api.read<Listed[]>(path, {
      size: 100,
      sort: 'created',
      ...(last === undefined ? {} : { after: idIn(last) }),
    });
    all.push(...page);
    if (page.length < 100) return all;
  }
}

async function chargesOf({ env }: Stack): Promise<number> {
  const charges = await providerCharges(env['STRIPE_API_BASE'] ?? '', env['STRIPE_SECRET_KEY'] ?? '');
  return charges.length;
}

import type { Stack } from '@commerce/stack';
import { eventually, idIn, providerCharges, type Client, type MerchantEndpoint } from '@commerce/testing';

import type { Load } from './load.js';

/** The longest that the worker may take to finish everything. */
const PATIENCE_MS = 120_000;

interface Listed {
  readonly _id: { readonly $oid: string };
  readonly status: string;
}

interface Parts {
  readonly api: Client;
  readonly load: Load;
  readonly endpoint: MerchantEndpoint;
  readonly stack: Stack;
}

/** Returns the errors after the load, in words: acknowledged work that was lost, and double charges. */
export async function check({ api, load, endpoint, stack }: Parts): Promise<string[]> {
  const wrong: string[] = [];
  for (const id of load.users) {
    const { status } = await api.get(`/users/${id}`);
    if (status !== 200) wrong.push(`user ${id} was acknowledged and is answered by ${String(status)}`);
  }
  let payments = 0;
  for (const id of load.subscriptions) {
    const all = await eventually(
      () => api.read<Listed[]>(`/subscriptions/${id}/payments`, { size: 100 }),
      (found) => found.length > 0 && found.every(({ status }) => status === 'SUCCEEDED'),
      PATIENCE_MS,
      { what: `the payment of subscription ${id}`, pauseMs: () => 500 },
    );
    payments += all.length;
    if (all.length !== 1) wrong.push(`subscription ${id} has ${String(all.length)} payments`);
  }
  const users = (await listed(api, '/users')).map(idIn);
  if (users.length !== load.users.size)
    wrong.push(`${String(load.users.size)} users were acknowledged, ${String(users.length)} are there`);
  const charges = await chargesOf(stack);
  if (charges !== payments)
    wrong.push(`the provider charged ${String(charges)} times for ${String(payments)} payments`);
  return [...wrong, ...(await missingEvents(endpoint, users))];
}

async function missingEvents({ messages }: MerchantEndpoint, users: readonly string[]): Promise<string[]> {
  const told = (): Set<string> =>
    new Set(
      messages
        .filter(({ kind }) => kind === 'user.created')
        .map(({ object }) => (object as { _id: string })._id),
    );
  const all = (): boolean => users.every((id) => told().has(id));
  // The first attempts may have failed during the change of the primary; the next one follows after half a minute.
  await eventually(all, Boolean, PATIENCE_MS, { what: 'all events', pauseMs: () => 500 }).catch(() => false);
  const heard = told();
  return users.filter((id) => !heard.has(id)).map((id) => `user.created of ${id} was not delivered`);
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

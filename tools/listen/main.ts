import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { StartError } from '#scripts/system/errors.mjs';
import { loadDotEnv, readDataDir, runningStack, type ToolContext } from '@commerce/stack';
import { Client, MerchantEndpoint, type Message } from '@commerce/testing';

import { LISTEN_PATH, removeLeftovers } from './leftovers.js';

const USUAL = [
  'user.created',
  'subscription.created',
  'subscription.activated',
  'subscription.cancelled',
  'payment.created',
  'payment.succeeded',
  'payment.failed',
  'payment.requires_auth',
];

/** The shown fields of an event's object, which depend on its type. */
interface Shown {
  readonly amount?: number | null;
  readonly currency?: string | null;
  readonly status?: string | null;
  readonly name?: string | null;
  readonly human_id?: string | null;
}

/**
 * `npm run listen [-- kind …]`: an endpoint for the demo company of the running `npm start`. It registers a webhook for
 * these kinds of events, prints the deliveries and the validity of their signatures, and deletes its webhook at the end.
 * The next start deletes that of a run that was killed.
 */
export async function main({ args, env, signals }: ToolContext): Promise<number> {
  loadDotEnv();
  const company = demoCompany(readDataDir(env));
  const left = await removeLeftovers(company);
  if (left > 0) process.stdout.write(`Webhooks of earlier runs removed: ${String(left)}.\n`);
  const endpoint = await MerchantEndpoint.start(company, (message) => {
    process.stdout.write(`${lineOf(message)}\n`);
  });
  const kinds = args.length > 0 ? args : USUAL;
  try {
    await endpoint.register(kinds, `${LISTEN_PATH}/`);
    const listening = `Listening at ${endpoint.url} for ${kinds.join(', ')}`;
    process.stdout.write(`${listening}\nEnd with Ctrl-C.\n\n`);
    await signals.stopped;
  } finally {
    await endpoint.unregister();
    await endpoint.stop();
  }
  return 0;
}

/** A client of the demo company in the service that uses this data folder. */
function demoCompany(dataDir: string): Client {
  const record = runningStack(dataDir);
  const file = join(dataDir, 'demo.json');
  if (!record || !existsSync(file))
    throw new StartError('The service does not run here. Start it in another terminal first: npm start');
  const keys = JSON.parse(readFileSync(file, 'utf8')) as Record<'api_key' | 'service_key', string>;
  const url = `http://127.0.0.1:${String(record.ports.api)}`;
  return new Client(url, { apiKey: keys.api_key, bearer: keys.service_key });
}

function lineOf({ kind, object, signed }: Message): string {
  const { amount, currency, status, name, human_id } = object as Shown;
  const state = status ?? name ?? human_id ?? '';
  const what = typeof amount === 'number' ? `${String(amount)} ${currency ?? ''} ${state}` : state;
  const time = new Date().toISOString().slice(11, 19);
  const verdict = signed ? 'signature verified' : 'SIGNATURE WRONG';
  return `${time}  ${kind.padEnd(24)}  ${what.padEnd(24)}  ${verdict}`;
}

import { setTimeout as pause } from 'node:timers/promises';

import { createCompany, type Stack, startStack, type ToolContext } from '@commerce/stack';
import { Client, MerchantEndpoint, Receiver, toolEnv } from '@commerce/testing';

import { check, repeatedEvents, type Loaded } from './checks.js';
import { Load, type Replies } from './load.js';

/** How long the load runs before and after each disturbance. */
const BETWEEN_MS = 8000;

/** A request that the database cannot serve is refused within this time. */
const REFUSED_WITHIN_MS = 10_000;

const REFUSALS = [503, 409, 429];

export interface Trial {
  readonly dataDir: string;
  /** The settings that name the servers. */
  readonly env: NodeJS.ProcessEnv;
  /** Runs before the load, and founds the companies. */
  readonly prepare: (stack: Stack) => Promise<readonly Client[]>;
  readonly disturbances: readonly (() => Promise<void>)[];
  /** Whether a repeated event is an error: no disturbance interrupts the commit of a delivery. */
  readonly eachEventOnce?: boolean;
}

/**
 * Loads companies of a stack of its own, and disturbs its servers meanwhile. Returns the errors in words: work that was
 * lost or done twice, refusals that are final or late.
 */
export async function underLoad(
  { env, processes, log }: ToolContext,
  { dataDir, env: servers, prepare, disturbances, eachEventOnce = false }: Trial,
): Promise<string[]> {
  const settings = { ...ownEnv(env), ...servers };
  const stack = await startStack({ dataDir, ephemeral: true, env: settings, owner: processes, log });
  const replies: Replies = { statuses: new Map(), slowestRefusalMs: 0 };
  const dead = await deadEndpoint();
  const companies: Loaded[] = [];
  try {
    for (const api of await prepare(stack)) {
      const endpoint = await MerchantEndpoint.start(api);
      companies.push({ endpoint, load: new Load(api, replies) });
      await endpoint.register(['user.created', 'payment.succeeded']);
      await api.made('/webhooks', { event_type: 'order.updated', endpoint: dead.url });
      await endpoint.untilVerified();
    }
    const running = Promise.all(companies.map(({ load }) => load.run()));
    running.catch(() => undefined);
    for (const disturb of disturbances) {
      await pause(BETWEEN_MS);
      await disturb();
    }
    await pause(BETWEEN_MS);
    for (const { load } of companies) load.stop();
    await running;
    log('Load', summaryOf(companies, replies));
    const wrong = [...refusalErrors(replies), ...(await check(companies, stack))];
    return eachEventOnce ? [...wrong, ...repeatedEvents(companies)] : wrong;
  } finally {
    await dead.stop();
    for (const { endpoint } of companies) await endpoint.stop();
  }
}

/** Creates a company by the command line, and gives a client for its keys. */
export async function foundCompany(
  stack: Stack,
  { processes }: Pick<ToolContext, 'processes'>,
): Promise<{ company: string; api: Client }> {
  const { company, ...keys } = await createCompany({ processes, env: stack.env }, 'Failover');
  const api = new Client(stack.uris.api, { apiKey: keys.api_key, bearer: keys.service_key });
  return { company, api };
}

/** An endpoint that confirms its webhook and accepts nothing. */
async function deadEndpoint(): Promise<Receiver> {
  const receiver = await Receiver.start();
  receiver.answers(({ headers }) =>
    headers['x-service-webhook-type'] === 'WebhookConfirmation' ? 200 : 500,
  );
  return receiver;
}

function summaryOf(companies: readonly Loaded[], { statuses, slowestRefusalMs }: Replies): string {
  const count = (of: (load: Load) => number): string =>
    String(companies.reduce((sum, { load }) => sum + of(load), 0));
  const counts = [...statuses].map(([status, times]) => `${String(times)} × ${String(status)}`);
  return [
    `${String(companies.length)} companies`,
    `${count(({ subscriptions }) => subscriptions.size)} subscriptions`,
    `${count(({ orders }) => orders.size)} orders`,
    `replies: ${counts.join(', ')}`,
    `the slowest refusal after ${String(Math.round(slowestRefusalMs))} ms`,
  ].join('; ');
}

function refusalErrors({ statuses, slowestRefusalMs }: Replies): string[] {
  const others = [...statuses.keys()].filter((status) => status >= 300 && !REFUSALS.includes(status));
  return [
    ...others.map((status) => `requests were answered ${String(status)}`),
    ...(slowestRefusalMs > REFUSED_WITHIN_MS
      ? [`a refusal took ${String(Math.round(slowestRefusalMs))} ms`]
      : []),
  ];
}

/** The environment of the run, without the caller's database, queue and card provider. */
function ownEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...toolEnv(env),
    // Retries a delivery soon, instead of after half a minute, when the primary changed during it.
    WEBHOOK_RETRY_DELAYS: '2s,5s,10s,30s',
  };
}

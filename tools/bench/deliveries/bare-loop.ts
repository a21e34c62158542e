/** The bare side of the deliveries benchmark: signs and sends, and remembers nothing. */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

import { Pool } from 'undici';

import { argument, print } from '../child.js';
import { startCpu } from '../measure/cpu.js';

/** What the process is started with, as JSON. */
export interface SendSpec {
  readonly url: string;
  /** Paths. */
  readonly endpoints: readonly string[];
  readonly perEndpoint: number;
  readonly calls: number;
  /** A body without its id, as JSON. */
  readonly event: string;
  /** Of the other processes to measure. */
  readonly pids: Readonly<Record<string, number>>;
}

const { url, endpoints, perEndpoint, calls, event, pids } = JSON.parse(argument()) as SendSpec;
const key = createSecretKey(randomBytes(32));
let left = 0;

async function send(pool: Pool, path: string): Promise<void> {
  const id = randomBytes(12).toString('hex');
  const body = Buffer.from(`{"id":"${id}",${event.slice(1, -1)},"url":"${url}${path}"}`);
  const headers = {
    'content-type': 'application/json',
    'X-Service-Webhook-Signature': createHmac('sha256', key).update(body).digest('hex'),
    'X-Service-Webhook-Type': 'WebhookMessage',
    'X-Service-Webhook-Retries': '0',
  };
  const { statusCode, body: reply } = await pool.request({ path, method: 'POST', headers, body });
  await reply.dump();
  if (statusCode !== 200) throw new Error(`the sink answered ${String(statusCode)}`);
}

const lanes = endpoints.flatMap((path) => {
  const pool = new Pool(url, { connections: perEndpoint, pipelining: 1 });
  return Array.from({ length: perEndpoint }, () => ({ pool, path }));
});

async function sendAll(count: number): Promise<void> {
  left = count;
  await Promise.all(
    lanes.map(async ({ pool, path }) => {
      while (left > 0) {
        left -= 1;
        await send(pool, path);
      }
    }),
  );
}

// The worker has run since the first pair: this process, which is new, gets as long before it is measured.
await sendAll(calls);
const cpuOf = startCpu({ sender: process.pid, ...pids });
const started = performance.now();
await sendAll(calls);
const seconds = (performance.now() - started) / 1000;
print({ rate: calls / seconds, cpu: cpuOf(calls) });
await Promise.all([...new Set(lanes.map(({ pool }) => pool))].map((pool) => pool.close()));

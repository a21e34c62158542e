/**
 * The bare side of the deliveries benchmark: signs and sends, and remembers nothing. Reads a spec as JSON from its
 * argument, {url, endpoints, perEndpoint, calls, event}, and prints its round as JSON.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { startCpu } from '../measure/cpu.mjs';

const { url, endpoints, perEndpoint, calls, event } = JSON.parse(process.argv[2]);
const WARM_UP = 500;
const key = createSecretKey(randomBytes(32));
const pools = endpoints.map(() => new Pool(url, { connections: perEndpoint, pipelining: 1 }));
let left = 0;

async function send(pool, path) {
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
  if (statusCode !== 200) throw new Error(`the sink answered ${statusCode}`);
}

async function lane(index) {
  while (left > 0) {
    left -= 1;
    await send(pools[index], endpoints[index]);
  }
}

async function sendAll(count) {
  left = count;
  await Promise.all(endpoints.flatMap((_, index) => Array.from({ length: perEndpoint }, () => lane(index))));
}

await sendAll(WARM_UP);
const cpuOf = startCpu({ sender: process.pid });
const started = performance.now();
await sendAll(calls);
const seconds = (performance.now() - started) / 1000;
process.stdout.write(`${JSON.stringify({ rate: calls / seconds, cpu: { ...cpuOf(calls), database: 0 } })}\n`);
await Promise.all(pools.map((pool) => pool.close()));

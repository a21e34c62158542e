/**
 * Generates load on one server from a process of its own, so that it takes no time from the server's loop.
 * Reads a spec as JSON from its argument and prints its round as JSON:
 *
 *   {url, headers, kind: 'read' | 'create', ids, connections, warmUpMs, ms, pids}
 *
 * Processor time is taken here, over the very window in which the requests are counted.
 */
import { Pool } from 'undici';
import { startCpu } from '../measure/cpu.mjs';
import { PRODUCT } from './same.mjs';

const { url, headers, kind, ids, connections, warmUpMs, ms, pids } = JSON.parse(process.argv[2]);
const pool = new Pool(url, { connections, pipelining: 1 });
let sent = 0;
let until = performance.now() + warmUpMs;
let times = [];

function nextRequest() {
  sent += 1;
  if (kind === 'read') return { method: 'GET', path: `/products/${ids[sent % ids.length]}`, headers };
  const body = JSON.stringify({ ...PRODUCT, name: `${PRODUCT.name} ${process.pid}-${sent}` });
  return { method: 'POST', path: '/products', headers, body };
}

async function ask() {
  const started = performance.now();
  const { statusCode, body } = await pool.request(nextRequest());
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text.slice(0, 500)}`);
  times.push(performance.now() - started);
}

async function keepAsking() {
  while (performance.now() < until) await ask();
}

const all = () => Promise.all(Array.from({ length: connections }, keepAsking));

await all();
times = [];
const cpuOf = startCpu(pids);
const started = performance.now();
until = started + ms;
await all();
const seconds = (performance.now() - started) / 1000;
const cpu = cpuOf(times.length);
const sorted = times.sort((a, b) => a - b);
const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
process.stdout.write(
  `${JSON.stringify({ rate: sorted.length / seconds, cpu, latency: { p50: at(0.5), p99: at(0.99) } })}\n`,
);
await pool.close();

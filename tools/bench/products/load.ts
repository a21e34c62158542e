/**
 * Generates load on one server from a process of its own, so that it takes no time from the server's event loop.
 * Processor time is measured here, over the very window in which the requests are counted.
 */
import { Pool, type Dispatcher } from 'undici';

import { argument, print } from '../child.js';
import { startCpu } from '../measure/cpu.js';
import { PRODUCT } from './same.js';

/** What the process is started with, as JSON. */
export interface LoadSpec {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is read, one after the other; none where products are made. */
  readonly paths: readonly string[];
  readonly connections: number;
  readonly warmUpMs: number;
  readonly ms: number;
  /** Of the processes to measure. */
  readonly pids: Readonly<Record<string, number>>;
}

const { url, headers, paths, connections, warmUpMs, ms, pids } = JSON.parse(argument()) as LoadSpec;
const pool = new Pool(url, { connections, pipelining: 1 });
let sent = 0;
let until = performance.now() + warmUpMs;
let times: number[] = [];

function nextRequest(): Dispatcher.RequestOptions {
  sent += 1;
  const path = paths[sent % paths.length];
  if (path !== undefined) return { method: 'GET', path, headers };
  const name = `${PRODUCT.name} ${String(process.pid)}-${String(sent)}`;
  return { method: 'POST', path: '/products', headers, body: JSON.stringify({ ...PRODUCT, name }) };
}

async function ask(): Promise<void> {
  const started = performance.now();
  const { statusCode, body } = await pool.request(nextRequest());
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${url} answered ${String(statusCode)}: ${text.slice(0, 500)}`);
  times.push(performance.now() - started);
}

async function keepAsking(): Promise<void> {
  while (performance.now() < until) await ask();
}

const all = (): Promise<unknown> => Promise.all(Array.from({ length: connections }, keepAsking));

await all();
times = [];
const cpuOf = startCpu(pids);
const started = performance.now();
until = started + ms;
await all();
const seconds = (performance.now() - started) / 1000;
const cpu = cpuOf(times.length);
const sorted = times.sort((a, b) => a - b);
const at = (share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
print({ rate: sorted.length / seconds, cpu, latency: { p50: at(0.5), p99: at(0.99) } });
await pool.close();

/**
 * Generates load on two servers in turns, from a process of its own, so that it takes no time from a server's event
 * loop. The turns are short: what slows the machine down for some seconds slows both sides down alike. Processor time
 * is measured here, over the very turns in which the requests are counted.
 */
import { readFileSync } from 'node:fs';

import { Pool, type Dispatcher } from 'undici';

import { argument, print } from '../child.js';
import type { SideName } from '../measure/alternate.js';
import { startCpu, type CpuSeconds } from '../measure/cpu.js';
import type { Round } from '../measure/summary.js';
import { PRODUCT } from './same.js';

/** What is asked of one server. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is read, one after the other; none where products are made. */
  readonly paths: readonly string[];
  /** Of the processes to measure. */
  readonly pids: Readonly<Record<string, number>>;
}

/** What the file says, in JSON, that the process is started with. */
export interface LoadSpec {
  readonly sides: Readonly<Record<SideName, Target>>;
  readonly first: SideName;
  readonly connections: number;
  readonly warmUpMs: number;
  /** For each side, in turns. */
  readonly ms: number;
}

const TURN_MS = 1000;

class Side {
  private readonly pool: Pool;
  private sent = 0;
  private times: number[] = [];
  private seconds = 0;
  private readonly cpu: Record<string, number | null> = {};

  constructor(
    private readonly target: Target,
    private readonly connections: number,
  ) {
    this.pool = new Pool(target.url, { connections, pipelining: 1 });
  }

  async warmUp(ms: number): Promise<void> {
    await this.askUntil(performance.now() + ms);
    this.times = [];
  }

  async turn(ms: number): Promise<void> {
    const cpuOf = startCpu(this.target.pids);
    const started = performance.now();
    await this.askUntil(started + ms);
    this.seconds += (performance.now() - started) / 1000;
    const used: CpuSeconds = cpuOf(1000);
    for (const [name, seconds] of Object.entries(used)) {
      const sofar = this.cpu[name] ?? 0;
      this.cpu[name] = seconds === null ? null : sofar + seconds;
    }
  }

  round(): Round {
    const sorted = this.times.sort((a, b) => a - b);
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
    const cpu = Object.fromEntries(
      Object.entries(this.cpu).map(([name, used]) => [
        name,
        used === null ? null : (used * 1000) / sorted.length,
      ]),
    );
    return { rate: sorted.length / this.seconds, cpu, latency: { p50: at(0.5), p99: at(0.99) } };
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async askUntil(until: number): Promise<void> {
    const keepAsking = async (): Promise<void> => {
      while (performance.now() < until) await this.ask();
    };
    await Promise.all(Array.from({ length: this.connections }, keepAsking));
  }

  private async ask(): Promise<void> {
    const started = performance.now();
    const { statusCode, body } = await this.pool.request(this.nextRequest());
    const text = await body.text();
    if (statusCode !== 200)
      throw new Error(`${this.target.url} answered ${String(statusCode)}: ${text.slice(0, 500)}`);
    this.times.push(performance.now() - started);
  }

  private nextRequest(): Dispatcher.RequestOptions {
    const { paths, headers } = this.target;
    this.sent += 1;
    const path = paths[this.sent % paths.length];
    if (path !== undefined) return { method: 'GET', path, headers };
    const name = `${PRODUCT.name} ${String(process.pid)}-${String(this.sent)}`;
    return { method: 'POST', path: '/products', headers, body: JSON.stringify({ ...PRODUCT, name }) };
  }
}

const { sides, first, connections, warmUpMs, ms } = JSON.parse(readFileSync(argument(), 'utf8')) as LoadSpec;
const ours = new Side(sides.ours, connections);
const bare = new Side(sides.bare, connections);
const order = first === 'ours' ? [ours, bare] : [bare, ours];

for (const side of order) await side.warmUp(warmUpMs);
const turns = Math.max(1, Math.round(ms / TURN_MS));
for (let turn = 0; turn < turns; turn += 1) for (const side of order) await side.turn(ms / turns);
print({ ours: ours.round(), bare: bare.round() });
await Promise.all([ours.close(), bare.close()]);

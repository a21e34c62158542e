import autocannon from 'autocannon';

import type { BenchContext } from '../context.js';
import { copyIndexes } from '../measure/collections.js';
import { compare, medians, type Measured, type Pair, type Round, type SideName } from '../measure/compare.js';
import { startCpu } from '../measure/cpu.js';
import { PRODUCT } from './catalogue.js';

/** The requests to one server, and the processes to measure. */
interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pids: Readonly<Record<string, number>>;
  /** The paths to read, one after the other; none where products are made. */
  readonly paths: readonly string[];
}

/** Requests of one kind to both sides, and the ratio to reach. */
export interface Route extends Readonly<Record<SideName, Target>> {
  readonly what: string;
  readonly aim: number;
}

const TURN_MS = 1000;
let sent = 0;

/** Starts the bare side, whose writes maintain the same indexes; they are like the product with the id `pattern`. */
export async function startSides(context: BenchContext, pattern = '') {
  const { db, stack, admin, company, databasePids } = context;
  await copyIndexes(db, 'products', 'bare_products');
  await copyIndexes(db, 'search_texts', 'bare_search_texts');
  const env = { BENCH_COMPANY: company, BENCH_PATTERN: pattern };
  const { url, pid, child } = await context.startServer('bare', 'products/bare-server.js', env);
  const json = { 'content-type': 'application/json' };
  const pids = { server: context.pidOf('api'), ...databasePids };
  return {
    ours: { url: stack.uris.api, headers: { ...json, ...admin.headers }, pids },
    bare: { url, headers: json, pids: { ...pids, server: pid } },
    stop: () => child.stop(),
  };
}

/** Compares the two sides of each route, over so many connections. */
export async function compareRoutes(
  context: BenchContext,
  routes: readonly Route[],
  how: { readonly connections: number; readonly warmUpMs: number },
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { what, aim, ...sides } of routes) {
    const pair = (first: SideName): Promise<Pair> => load(sides, first, { ...how, ms: context.scale.ms });
    measured.push(await compare(context, { what, unit: 'requests', aim }, pair));
  }
  return measured;
}

/**
 * Generates load on two servers in turns of a second, so that what slows the machine down for some seconds slows both
 * sides. Processor time is measured over the same turns in which the requests are counted.
 */
async function load(
  sides: Readonly<Record<SideName, Target>>,
  first: SideName,
  { connections, warmUpMs, ms }: { connections: number; warmUpMs: number; ms: number },
): Promise<Pair> {
  const order: readonly SideName[] = first === 'ours' ? ['ours', 'bare'] : ['bare', 'ours'];
  const turns: Record<SideName, Round[]> = { ours: [], bare: [] };
  const amounts: Record<SideName, number> = { ours: 0, bare: 0 };
  for (const side of order) {
    const { rate } = await ask(sides[side], { connections, duration: warmUpMs / 1000 });
    // A number of requests rather than a time: no request is abandoned that has cost processor time.
    amounts[side] = Math.max(connections, Math.round((rate * TURN_MS) / 1000));
  }
  for (let turn = 0; turn < ms / TURN_MS; turn += 1) {
    for (const side of order)
      turns[side].push(await ask(sides[side], { connections, amount: amounts[side] }));
  }
  return { ours: medians(turns.ours), bare: medians(turns.bare) };
}

/** Sends requests for a time or up to an amount; the sooner it looks, the sooner it sees that the last is answered. */
async function ask(
  { url, headers, pids, paths }: Target,
  limit: Pick<autocannon.Options, 'connections' | 'duration' | 'amount'>,
): Promise<Round> {
  const cpuOf = startCpu(pids);
  const setupRequest = (request: autocannon.Request) => ({ ...request, ...requestTo(paths) });
  const options = { url, headers, requests: [{ setupRequest }], sampleInt: 10, ...limit };
  const { latency, errors, non2xx, duration, ...counts } = await autocannon(options);
  if (errors + non2xx > 0)
    throw new Error(`${url}: ${String(errors)} errors, ${JSON.stringify(counts.statusCodeStats)}`);
  const count = counts['2xx'];
  return { rate: count / duration, 'median ms': latency.p50, '99 % ms': latency.p99, ...cpuOf(count) };
}

function requestTo(paths: readonly string[]): Pick<autocannon.Request, 'method' | 'path' | 'body'> {
  sent += 1;
  const path = paths[sent % paths.length];
  if (path !== undefined) return { method: 'GET', path };
  const body = JSON.stringify({ ...PRODUCT, name: `${PRODUCT.name} ${String(process.pid)}-${String(sent)}` });
  return { method: 'POST', path: '/products', body };
}

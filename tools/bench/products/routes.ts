import autocannon from 'autocannon';

import type { BenchContext } from '../context.js';
import { empty } from '../measure/collections.js';
import { compare, medians, type Measured, type Pair, type Round, type SideName } from '../measure/compare.js';
import { measured } from '../measure/measured.js';
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

/** V8 compiles the many functions of our requests for some time. */
const WARM_UP_S = 1.5;
const TURN_MS = 1000;
let sent = 0;

/** Starts the bare side, whose writes maintain the same indexes; they are like the product with the id `pattern`. */
export async function startSides(context: BenchContext, pattern = '') {
  const { admin, db } = context;
  await empty(db, ['products', 'search_texts'], 'bare_');
  const bare = await context.startServer('bare', 'products/bare-server.js', { BENCH_PATTERN: pattern });
  const json = { 'content-type': 'application/json' };
  const pidsWith = (server: string) => ({ server: context.pidOf(server), ...context.pidsOf() });
  return {
    ours: { url: admin.baseUrl, headers: { ...json, ...admin.headers }, pids: pidsWith('api') },
    bare: { url: bare, headers: json, pids: pidsWith('bare') },
  };
}

/** Compares the two sides of each route, over so many connections. */
export async function compareRoutes(
  context: BenchContext,
  routes: readonly Route[],
  connections: number,
): Promise<Measured[]> {
  const compared: Measured[] = [];
  for (const { what, aim, ...sides } of routes) {
    const pair = (first: SideName) => load(sides, first, { connections, ms: context.scale.ms });
    compared.push(await compare(context, { what, unit: 'requests', aim }, pair));
  }
  return compared;
}

/**
 * Generates load on two servers in turns of a second, so that what slows the machine down for some seconds slows both
 * sides. Processor time is measured over the same turns in which the requests are counted.
 */
async function load(
  sides: Readonly<Record<SideName, Target>>,
  first: SideName,
  { connections, ms }: { connections: number; ms: number },
): Promise<Pair> {
  const order: readonly SideName[] = first === 'ours' ? ['ours', 'bare'] : ['bare', 'ours'];
  const turns: Record<SideName, Round[]> = { ours: [], bare: [] };
  const amounts: Record<SideName, number> = { ours: 0, bare: 0 };
  for (const side of order) {
    const { rate } = await ask(sides[side], { connections, duration: WARM_UP_S });
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
  const setupRequest = (request: autocannon.Request) => ({ ...request, ...requestTo(paths) });
  const options = { url, headers, requests: [{ setupRequest }], sampleInt: 10, ...limit };
  let latency = { p50: NaN, p99: NaN };
  const { rate, ...cpu } = await measured(pids, async () => {
    const result = await autocannon(options);
    if (result.errors + result.non2xx > 0)
      throw new Error(`${url}: ${String(result.errors)} errors, ${JSON.stringify(result.statusCodeStats)}`);
    ({ latency } = result);
    return result['2xx'];
  });
  return { rate, 'median ms': latency.p50, '99 % ms': latency.p99, ...cpu };
}

function requestTo(paths: readonly string[]): Pick<autocannon.Request, 'method' | 'path' | 'body'> {
  sent += 1;
  const path = paths[sent % paths.length];
  if (path !== undefined) return { method: 'GET', path };
  const body = JSON.stringify({ ...PRODUCT, name: `${PRODUCT.name} ${String(process.pid)}-${String(sent)}` });
  return { method: 'POST', path: '/products', body };
}

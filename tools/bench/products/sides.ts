import type { BenchContext } from '../context.js';
import { copyIndexes } from '../measure/collections.js';
import { compare, type Measured, type Pair, type SideName } from '../measure/compare.js';
import { load, type Load, type Target } from './load.js';

/** The API and the bare server, each with the headers of its requests. */
interface Servers extends Readonly<Record<SideName, Omit<Target, 'paths'>>> {
  stop(): Promise<unknown>;
}

/** Starts the bare side, whose writes maintain the same indexes; they are like the product with the id `pattern`. */
export async function startSides(context: BenchContext, pattern = ''): Promise<Servers> {
  const { db, stack, admin, company, databasePids } = context;
  await copyIndexes(db, 'products', 'bare_products');
  await copyIndexes(db, 'search_texts', 'bare_search_texts');
  const env = { BENCH_COMPANY: company, BENCH_PATTERN: pattern };
  const bare = await context.startServer('bare', 'products/bare-server.js', env);
  const json = { 'content-type': 'application/json' };
  const api = { server: context.pidOf('api'), ...databasePids };
  return {
    ours: { url: stack.uris.api, headers: { ...json, ...admin.headers }, pids: api },
    bare: { url: bare.url, headers: json, pids: { server: bare.pid, ...databasePids } },
    stop: () => bare.child.stop(),
  };
}

/** Requests of one kind to both sides, and the ratio to reach. */
export interface Route extends Readonly<Record<SideName, Target>> {
  readonly what: string;
  readonly aim: number;
}

/** Compares the two sides of each route. */
export async function compareRoutes(
  context: BenchContext,
  routes: readonly Route[],
  how: Omit<Load, 'ms'>,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { what, aim, ours, bare } of routes) {
    const { ms } = context.scale;
    const pair = (first: SideName): Promise<Pair> => load({ ours, bare }, first, { ...how, ms });
    measured.push(await compare(context, { what, unit: 'requests', aim }, pair));
  }
  return measured;
}

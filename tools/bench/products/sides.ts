import type { BenchContext } from '../context.js';
import { copyIndexes } from '../measure/collections.js';
import type { Pair } from '../measure/compare.js';
import type { LoadSpec, Target } from './load.js';

/** The API and the bare server, each with the headers of its requests. */
export interface Servers {
  readonly ours: Omit<Target, 'paths'>;
  readonly bare: Omit<Target, 'paths'>;
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

/** One round of both sides, from a process of its own. */
export function load(context: BenchContext, spec: Omit<LoadSpec, 'ms'>): Promise<Pair> {
  return context.runScript('products/load.js', { ...spec, ms: context.scale.ms } satisfies LoadSpec);
}

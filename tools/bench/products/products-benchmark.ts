import { idIn } from '@commerce/testing';

import type { Benchmark, Measured } from '../benchmark.js';
import { pidOf, type BenchContext } from '../context.js';
import { alternate } from '../measure/alternate.js';
import { copyIndexes } from '../measure/same-indexes.js';
import type { Round } from '../measure/summary.js';
import type { LoadSpec } from './load.js';
import { PRODUCT } from './same.js';

/** Kept below the servers' pools, so that work is compared and not waiting in line. */
const CONNECTIONS = 16;
const READ_FROM = 200;
const WARM_UP_MS = 500;

const ROUTES = [
  { kind: 'read', what: 'GET /products/<id>', aim: 0.6 },
  { kind: 'create', what: 'POST /products', aim: 0.5 },
] as const;

/** One of the two servers. */
interface Server extends Pick<LoadSpec, 'url' | 'headers'> {
  readonly pid: number;
}

/** GET /products/<id> and POST /products against Express 5 and the driver. */
export const products: Benchmark = {
  key: 'a',
  name: 'products',
  title: 'Products over HTTP',
  apps: ['api'],
  env: {},

  about({ ms }) {
    return `Our API (Nest on Express 5, callers by key, rules, one renderer) against bare Express 5 with the driver that comes with
Mongoose. Both read the same ${String(READ_FROM)} products by id and write the same document, search index included, to collections
with the same indexes, under the same write concern; the bare side knows no callers and checks nothing. The load comes
from a process of its own over ${String(CONNECTIONS)} connections, for ${String(ms / 1000)} s a round. It shares the cores with the servers, so the
processor time of the server process says more about its code than the rate.`;
  },

  async run(context) {
    const { scale, say, stack, admin } = context;
    const json = { 'content-type': 'application/json' };
    const ids = await makeProducts(context);
    const bare = await startBare(context, ids[0] ?? '');
    const sides: Record<'ours' | 'bare', Server> = {
      ours: {
        url: stack.uris.api,
        headers: { ...json, ...admin.headers },
        pid: pidOf('api', stack.pids.api),
      },
      bare: { url: bare.url, headers: json, pid: pidOf('bare', bare.child.pid) },
    };
    const measured: Measured[] = [];
    for (const { kind, what, aim } of ROUTES) {
      const result = await alternate({
        rounds: scale.rounds,
        ours: () => load(context, sides.ours, kind, ids),
        bare: () => load(context, sides.bare, kind, ids),
        say: (text) => say(`${what}: ${text}`),
      });
      measured.push({ what, unit: 'requests', aim, result });
    }
    await bare.child.stop();
    return measured;
  },
};

async function makeProducts({ admin }: BenchContext): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < READ_FROM; index += 1)
    ids.push(idIn(await admin.made('/products', { ...PRODUCT, name: `${PRODUCT.name} ${String(index)}` })));
  return ids;
}

/** The bare side writes where the same indexes have to be maintained. */
async function startBare(context: BenchContext, pattern: string): ReturnType<BenchContext['startServer']> {
  await copyIndexes(context.db, 'products', 'bare_products');
  await copyIndexes(context.db, 'search_texts', 'bare_search_texts');
  return context.startServer('bare', 'products/bare-server.js', {
    BENCH_COMPANY: context.company,
    BENCH_PATTERN: pattern,
  });
}

function load(
  context: BenchContext,
  { url, headers, pid }: Server,
  kind: LoadSpec['kind'],
  ids: readonly string[],
): Promise<Round> {
  const spec: LoadSpec = {
    url,
    headers,
    kind,
    ids,
    connections: CONNECTIONS,
    warmUpMs: WARM_UP_MS,
    ms: context.scale.ms,
    pids: { server: pid, ...context.databasePid },
  };
  return context.runScript('products/load.js', JSON.stringify(spec));
}

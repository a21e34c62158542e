import type { Benchmark, Measured } from '../benchmark.js';
import { pidOf, type BenchContext } from '../context.js';
import { alternate } from '../measure/alternate.js';
import type { Round } from '../measure/summary.js';
import { startBare } from './bare.js';
import { fillCatalogue, type Catalogue } from './catalogue.js';
import type { LoadSpec } from './load.js';

/** Kept below the servers' pools, so that work is compared and not waiting in line. */
const CONNECTIONS = 16;
/** Documents that are read again and again, beside reading all in turn. */
const HOT = 20;
/** The compiler of V8 takes its time with all that a request of ours goes through. */
const WARM_UP_MS = 1500;

interface Route {
  readonly what: string;
  readonly aim: number;
  readonly pathsOf: (catalogue: Catalogue, side: 'ours' | 'bare') => readonly string[];
}

const byId = (id: string): string => `/products/${id}`;

const ROUTES: readonly Route[] = [
  { what: 'GET /products/<id>, few', aim: 0.7, pathsOf: ({ ids }) => ids.slice(0, HOT).map(byId) },
  { what: 'GET /products/<id>, all', aim: 0.7, pathsOf: ({ ids }) => ids.map(byId) },
  { what: 'GET /products?size=20', aim: 0.6, pathsOf: () => ['/products?size=20'] },
  { what: 'the same with total=true', aim: 0.6, pathsOf: () => ['/products?size=20&total=true'] },
  {
    what: 'a search',
    aim: 0.6,
    pathsOf: ({ words }, side) =>
      words.map((word) =>
        side === 'ours' ? `/products/search?query=${word}&size=20` : `/search?query=${word}`,
      ),
  },
  { what: 'POST /products', aim: 0.75, pathsOf: () => [] },
];

/** One of the two servers. */
interface Server extends Pick<LoadSpec, 'url' | 'headers'> {
  readonly pid: number;
}

/** Products read one by one, listed, searched and made, against Express 5 and the driver. */
export const products: Benchmark = {
  key: 'a',
  name: 'products',
  title: 'Products over HTTP',
  apps: ['api'],
  env: {},

  about({ ms, products: count }) {
    return `Our API (Nest on Express 5, callers by key, rules, one renderer) against bare Express 5 with the driver that comes with
Mongoose. Both read the same ${count.toLocaleString('en-US')} products: ${String(HOT)} of them by id or all in turn, the newest 20, the same with
their count, and what contains a word that one in fifty has; and both write the same document, search index included,
to collections with the same indexes, under the same write concern. The bare side knows no callers, checks nothing, and
was told beforehand which range of the index holds the page, and what to ask of that of searches. The load comes
from a process of its own over ${String(CONNECTIONS)} connections, for ${String(ms / 1000)} s a round. It shares the cores with the servers, so the
processor time of the server process says more about its code than the rate.`;
  },

  async run(context) {
    const { scale, say, stack, admin } = context;
    const json = { 'content-type': 'application/json' };
    const catalogue = await fillCatalogue(context, scale.products);
    const bare = await startBare(context, catalogue.ids[0] ?? '');
    const sides: Record<'ours' | 'bare', Server> = {
      ours: {
        url: stack.uris.api,
        headers: { ...json, ...admin.headers },
        pid: pidOf('api', stack.pids.api),
      },
      bare: { url: bare.url, headers: json, pid: pidOf('bare', bare.child.pid) },
    };
    const measured: Measured[] = [];
    for (const { what, aim, pathsOf } of ROUTES) {
      const run = (side: 'ours' | 'bare'): Promise<Round> =>
        load(context, sides[side], pathsOf(catalogue, side));
      const result = await alternate({
        rounds: scale.rounds,
        ours: () => run('ours'),
        bare: () => run('bare'),
        say: (text) => say(`${what}: ${text}`),
      });
      measured.push({ what, unit: 'requests', aim, result });
    }
    await bare.child.stop();
    return measured;
  },
};

function load(
  context: BenchContext,
  { url, headers, pid }: Server,
  paths: readonly string[],
): Promise<Round> {
  const spec: LoadSpec = {
    url,
    headers,
    paths,
    connections: CONNECTIONS,
    warmUpMs: WARM_UP_MS,
    ms: context.scale.ms,
    pids: { server: pid, ...context.databasePids },
  };
  return context.runScript('products/load.js', JSON.stringify(spec));
}

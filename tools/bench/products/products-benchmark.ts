import type { Benchmark, Measured } from '../benchmark.js';
import { pidOf } from '../context.js';
import { alternate, type SideName } from '../measure/alternate.js';
import { startBare } from './bare.js';
import { fillCatalogue, type Catalogue } from './catalogue.js';
import type { Target } from './load.js';
import { load, target, type Server } from './run-load.js';

/** Kept below the servers' pools, so that work is compared and not waiting in line. */
const CONNECTIONS = 16;
/** Different names of products. */
const NAMES = 50;
/** Documents that are read again and again, beside reading all in turn. */
const HOT = 20;
/** The compiler of V8 takes its time with all that a request of ours goes through. */
const WARM_UP_MS = 1500;

interface Route {
  readonly what: string;
  readonly aim: number;
  readonly pathsOf: (catalogue: Catalogue, side: SideName) => readonly string[];
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
was told beforehand which range of the index holds the page, and what to ask of that of searches; for one product it
asks by id and company, side by side, which the embedded database answers more slowly than what the service asks
in the form of its engine (docs/adr/0018-two-engines.md), and MongoDB alike;
and it reads and counts for each request, where the service reads by id, and counts, once for all who ask at the same
moment. The load comes
from a process of its own over ${String(CONNECTIONS)} connections, ${String(ms / 1000)} s a round for each side, in turns of a second. It shares the cores with the servers, so the
processor time of the server process says more about its code than the rate.`;
  },

  async run(context) {
    const { scale, say, stack, admin } = context;
    const json = { 'content-type': 'application/json' };
    const size = { count: scale.products, names: NAMES, others: 0 };
    const catalogue = await fillCatalogue(context, size);
    const bare = await startBare(context, catalogue.ids[0] ?? '');
    const servers: Record<SideName, Server> = {
      ours: {
        url: stack.uris.api,
        headers: { ...json, ...admin.headers },
        pid: pidOf('api', stack.pids.api),
      },
      bare: { url: bare.url, headers: json, pid: pidOf('bare', bare.child.pid) },
    };
    const measured: Measured[] = [];
    for (const { what, aim, pathsOf } of ROUTES) {
      const targetOf = (side: SideName): Target => target(context, servers[side], pathsOf(catalogue, side));
      const sides = { ours: targetOf('ours'), bare: targetOf('bare') };
      const result = await alternate({
        rounds: scale.rounds,
        pair: (first) => load(context, { sides, first, connections: CONNECTIONS, warmUpMs: WARM_UP_MS }),
        say: (text) => say(`${what}: ${text}`),
      });
      measured.push({ what, unit: 'requests', aim, result });
    }
    await bare.child.stop();
    return measured;
  },
};

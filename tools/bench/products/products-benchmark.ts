import type { Benchmark } from '../benchmark.js';
import { compare, type Measured, type SideName } from '../measure/compare.js';
import { fillCatalogue, type Catalogue } from './catalogue.js';
import { load, startSides } from './sides.js';

/** Kept below the servers' pools, so that work is compared and not waiting for a connection. */
const CONNECTIONS = 16;
/** Different names of products. */
const NAMES = 50;
/** Documents that are read again and again, beside reading all in turn. */
const HOT = 20;
/** V8 compiles the many functions of our requests for some time. */
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
  name: 'products',
  apps: ['api'],

  async run(context) {
    const count = context.scale.products;
    const catalogue = await fillCatalogue(context, { count, names: NAMES, others: 0 });
    const servers = await startSides(context, catalogue.ids[0]);
    const measured: Measured[] = [];
    for (const { what, aim, pathsOf } of ROUTES) {
      const sides = {
        ours: { ...servers.ours, paths: pathsOf(catalogue, 'ours') },
        bare: { ...servers.bare, paths: pathsOf(catalogue, 'bare') },
      };
      const spec = { sides, connections: CONNECTIONS, warmUpMs: WARM_UP_MS };
      const pair = (first: SideName) => load(context, { ...spec, first });
      measured.push(await compare(context, { what, unit: 'requests', aim }, pair));
    }
    await servers.stop();
    return measured;
  },
};

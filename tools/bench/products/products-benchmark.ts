import type { Benchmark } from '../context.js';
import { fillCatalogue } from './catalogue.js';
import { compareRoutes, startSides, type Route } from './routes.js';

/** Kept below the servers' pools, so that work is compared and not waiting for a connection. */
const CONNECTIONS = 16;
/** Read one by one. */
const COUNT = 500;
/** Different names of products. */
const NAMES = 50;

/** Products read one by one, listed, searched and made, against Express 5 and the driver. */
export const products: Benchmark = {
  name: 'products',
  apps: ['api'],

  async run(context) {
    const { ids, words, keys } = await fillCatalogue(context, context.admin, { count: COUNT, names: NAMES });
    const { ours, bare } = await startSides(context, ids[0]);
    const route = (what: string, aim: number, asked: readonly string[], askedBare = asked): Route => ({
      ...{ what, aim },
      ours: { ...ours, paths: asked },
      bare: { ...bare, paths: askedBare },
    });
    const byId = ids.map((id) => `/products/${id}`);
    const searched = words.map((word) => `/products/search?query=${word}&size=20`);
    const byKey = words.map((word, at) => `/search?query=${word}&key=${encodeURIComponent(keys[at] ?? '')}`);
    const routes = [
      route('GET /products/<id>', 0.7, byId),
      route('GET /products?size=20', 0.6, ['/products?size=20']),
      route('the same with total=true', 0.6, ['/products?size=20&total=true']),
      route('a search', 0.6, searched, byKey),
      route('POST /products', 0.75, []),
    ];
    return compareRoutes(context, routes, CONNECTIONS);
  },
};

import type { Benchmark } from '../context.js';
import { fillCatalogue } from './catalogue.js';
import { compareRoutes, startSides, type Route } from './routes.js';

/** Kept below the servers' pools, so that work is compared and not waiting for a connection. */
const CONNECTIONS = 16;
/** Different names of products. */
const NAMES = 50;
/** V8 compiles the many functions of our requests for some time. */
const WARM_UP_MS = 1500;

/** Products read one by one, listed, searched and made, against Express 5 and the driver. */
export const products: Benchmark = {
  name: 'products',
  apps: ['api'],

  async run(context) {
    const count = context.scale.products;
    const { ids, words, keys } = await fillCatalogue(context, { count, names: NAMES });
    const servers = await startSides(context, ids[0]);
    const route = (what: string, aim: number, ours: readonly string[], bare = ours): Route => ({
      ...{ what, aim },
      ours: { ...servers.ours, paths: ours },
      bare: { ...servers.bare, paths: bare },
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
    const measured = await compareRoutes(context, routes, { connections: CONNECTIONS, warmUpMs: WARM_UP_MS });
    await servers.stop();
    return measured;
  },
};

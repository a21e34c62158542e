import type { Benchmark } from '../context.js';
import { fillCatalogue } from './catalogue.js';
import { compareRoutes, startSides } from './routes.js';

/** Products that have a word. */
const FOUND = 50;
/** Companies whose products lie in the same collections, each with as many. */
const OTHERS = 4;
const WARM_UP_MS = 500;

/** Searches in a large catalogue, beside other ways to as many products. */
export const search: Benchmark = {
  name: 'search',
  apps: ['api'],

  async run(context) {
    const { scale, say } = context;
    const names = Math.ceil(scale.searched / FOUND);
    const size = { count: scale.searched, names };
    const { ids, words } = await fillCatalogue(context, size);
    for (let other = 1; other <= OTHERS; other += 1) await fillCatalogue(await context.anotherShop(), size);
    say(`${String(scale.searched * (OTHERS + 1))} products are there`);
    const servers = await startSides(context, ids[0]);
    const parts = words.map((word) => word.slice(1, -1));
    const searched = parts.map((part) => `/products/search?query=${part}&size=20`);
    const tagged = words.map((word) => `/products/tags?tags=${word}&size=20`);
    const scanned = parts.map((part) => `/scan?query=${part}`);
    const ours = { ...servers.ours, paths: searched };
    const routes = [
      { what: 'a search; bare: by tag', aim: 0.33, ours, bare: { ...servers.ours, paths: tagged } },
      { what: 'a search; bare: a scan', aim: 1, ours, bare: { ...servers.bare, paths: scanned } },
    ];
    const measured = await compareRoutes(context, routes, { connections: 1, warmUpMs: WARM_UP_MS });
    await servers.stop();
    return measured;
  },
};

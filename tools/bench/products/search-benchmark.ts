import type { Benchmark } from '../context.js';
import { fillCatalogue } from './catalogue.js';
import { compareRoutes, startSides } from './routes.js';

/** Products that have a word. */
const FOUND = 50;
/** Companies whose products lie in the same collections, each with as many. */
const OTHERS = 4;

/** Searches in a large catalogue, beside other ways to as many products. */
export const search: Benchmark = {
  name: 'search',
  apps: ['api'],

  async run(context) {
    const { searched: count } = context.scale;
    const size = { count, names: Math.ceil(count / FOUND) };
    const { ids, words } = await fillCatalogue(context, context.admin, size);
    for (let other = 1; other <= OTHERS; other += 1)
      await fillCatalogue(context, await context.anotherCompany(), size);
    const { ours, bare } = await startSides(context, ids[0]);
    const parts = words.map((word) => word.slice(1, -1));
    const searched = { ...ours, paths: parts.map((part) => `/products/search?query=${part}&size=20`) };
    const tagged = { ...ours, paths: words.map((word) => `/products/tags?tags=${word}&size=20`) };
    const scanned = { ...bare, paths: parts.map((part) => `/scan?query=${part}`) };
    const routes = [
      { what: 'a search; bare: by tag', aim: 0.33, ours: searched, bare: tagged },
      { what: 'a search; bare: a scan', aim: 1, ours: searched, bare: scanned },
    ];
    return compareRoutes(context, routes, 1);
  },
};

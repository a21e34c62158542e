import type { Benchmark } from '../benchmark.js';
import { compare, type Measured, type SideName } from '../measure/compare.js';
import { fillCatalogue } from '../products/catalogue.js';
import type { Target } from '../products/load.js';
import { load, startSides } from '../products/sides.js';

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
    const catalogue = await fillCatalogue(context, { count: scale.searched, names, others: OTHERS });
    const { ids, words } = catalogue;
    say(`${String(scale.searched * (OTHERS + 1))} products are there`);
    context.facts['Index of texts'] = `${catalogue.entries.toFixed(0)} entries for a product`;
    const servers = await startSides(context, ids[0]);
    const parts = words.map((word) => word.slice(1, -1));
    const searched = parts.map((part) => `/products/search?query=${part}&size=20`);
    const tagged = words.map((word) => `/products/tags?tags=${word}&size=20`);
    const scanned = parts.map((part) => `/scan?query=${part}`);
    const others: readonly [string, number, Target][] = [
      ['a search; bare: by tag', 0.33, { ...servers.ours, paths: tagged }],
      ['a search; bare: a scan', 20, { ...servers.bare, paths: scanned }],
    ];
    const measured: Measured[] = [];
    for (const [what, aim, bare] of others) {
      const sides = { ours: { ...servers.ours, paths: searched }, bare };
      const spec = { sides, connections: 1, warmUpMs: WARM_UP_MS };
      const pair = (first: SideName) => load(context, { ...spec, first });
      measured.push(await compare(context, { what, unit: 'requests', aim }, pair));
    }
    await servers.stop();
    return measured;
  },
};

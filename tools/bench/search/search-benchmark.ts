import mongoose, { type mongo } from 'mongoose';

import type { Benchmark, Measured } from '../benchmark.js';
import { pidOf, type BenchContext } from '../context.js';
import { alternate } from '../measure/alternate.js';
import { startCpu } from '../measure/cpu.js';
import { AT_REST, settled } from '../measure/settle.js';
import { startBare } from '../products/bare.js';
import { copiesOf, fillCatalogue, scopedAnew, type Catalogue } from '../products/catalogue.js';
import { PRODUCT } from '../products/same.js';
import { keysOf } from '../products/text-keys.js';
import type { Target } from '../products/load.js';
import { load, target } from '../products/run-load.js';

/** Products that have a word. */
const FOUND = 50;
/** Companies whose products lie in the same collections, each with as many. */
const OTHERS = 4;
const WARM_UP_MS = 500;

/** Products that are written to see what their index costs. */
const WRITTEN = 2000;

/** As long as the texts of `seed:load`. */
const like = (name: string): object => ({
  ...PRODUCT,
  description: `The steel kettle ${name} of this shop, in lot 17.`,
});

/** Searches in a large catalogue, beside what finds as many products in other ways. */
export const search: Benchmark = {
  key: 'e',
  name: 'search',
  title: 'Searches at size',
  apps: ['api'],
  env: {},

  about({ searched }) {
    const all = ((OTHERS + 1) * searched).toLocaleString('en-US');
    return `A page of 20 by a part of the name that ${String(FOUND)} of a company's ${searched.toLocaleString('en-US')} products have, where the collections hold ${all}
products, one request after the other. First beside our own lookup of as many products by a tag, which an index serves
as well as can be; then beside bare Express that has the database match a pattern with every text of the company.`;
  },

  async run(context) {
    const { scale, say, stack, admin } = context;
    const names = Math.ceil(scale.searched / FOUND);
    const catalogue = await fillCatalogue(context, { count: scale.searched, names, others: OTHERS, like });
    const { ids, words } = catalogue;
    say(`${String(scale.searched * (OTHERS + 1))} products are there`);
    await settle(context);
    await tellCosts(context, catalogue);
    const bare = await startBare(context, ids[0] ?? '');
    await settle(context);
    const api = { url: stack.uris.api, headers: admin.headers, pid: pidOf('api', stack.pids.api) };
    const express = { url: bare.url, headers: {}, pid: pidOf('bare', bare.child.pid) };
    const parts = words.map((word) => word.slice(1, -1));
    const searched = parts.map((part) => `/products/search?query=${part}&size=20`);
    const tagged = words.map((word) => `/products/tags?tags=${word}&size=20`);
    const scanned = parts.map((part) => `/scan?query=${part}`);
    const ours = target(context, api, searched);
    const sides: readonly [string, number, Target][] = [
      ['a search; bare: by tag', 0.33, target(context, api, tagged)],
      ['a search; bare: a scan', 20, target(context, express, scanned)],
    ];
    const measured: Measured[] = [];
    for (const [what, aim, other] of sides) {
      const spec = { sides: { ours, bare: other }, connections: 1, warmUpMs: WARM_UP_MS };
      const result = await alternate({
        rounds: scale.rounds,
        pair: (first) => load(context, { ...spec, first }),
        say: (text) => say(`${what}: ${text}`),
      });
      measured.push({ what, unit: 'requests', aim, result });
    }
    await bare.child.stop();
    return measured;
  },
};

/** Until the database has written what it was given. */
async function settle(context: BenchContext): Promise<void> {
  const { database } = context.databasePids;
  if (database === undefined) return;
  context.say('waiting for the database to settle');
  const rate = await settled(database);
  if (rate >= AT_REST)
    context.tell('Database at the start', `still writing ${(rate / 2 ** 20).toFixed(0)} MiB a second`);
}

/** What the index of texts holds for a product, and what it adds to the database's work as one is written. */
async function tellCosts(context: BenchContext, { originals }: Catalogue): Promise<void> {
  const { db, databasePids, scale } = context;
  const keys = originals.map(({ text }) => keysOf(text).length);
  const average = keys.reduce((sum, count) => sum + count, 0) / keys.length;
  const all = Math.round(average * scale.searched * (OTHERS + 1));
  context.tell(
    'Index of texts',
    `${average.toFixed(0)} entries for a product, ${all.toLocaleString('en-US')} in all`,
  );
  const owner = new mongoose.mongo.ObjectId();
  const copies = copiesOf(scopedAnew(originals), { owner, each: 1, from: 0, to: WRITTEN });
  const costOf = async (name: string, rows: mongo.Document[]): Promise<string> => {
    const cpu = startCpu(databasePids);
    await db.collection(name).insertMany(rows);
    const seconds = cpu(rows.length)['database'];
    return typeof seconds === 'number' ? seconds.toFixed(3) : '?';
  };
  const products = await costOf(
    'products',
    copies.map(({ product }) => product),
  );
  const texts = await costOf(
    'search_texts',
    copies.map(({ text }) => text),
  );
  context.tell(
    'Written in bulk',
    `${products} s of the database for 1,000 products with their other indexes, ${texts} s for their texts`,
  );
}

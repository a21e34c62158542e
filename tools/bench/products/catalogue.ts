import { randomBytes, randomInt } from 'node:crypto';

import { idIn } from '@commerce/testing';
import mongoose, { type mongo } from 'mongoose';

import type { BenchContext } from '../context.js';
import { inScope, keysOf, rangesOf, SCOPES } from './text-keys.js';

const { ObjectId } = mongoose.mongo;

/** The product of the benchmarks, under another name each time. */
export const PRODUCT = {
  name: 'Espresso cup',
  price: 19.99,
  currency: 'EUR',
  discount: 0.25,
  vat: 0.24,
  description:
    'A cup of thick white porcelain that keeps sixty millilitres warm for as long as it takes to drink them.',
  tags: ['cups', 'porcelain', 'kitchen'],
  properties: { colour: 'white', volume_ml: 60, dishwasher: true, sizes: ['single', 'double'] },
  external_reference: 'shop-4711',
};

interface CatalogueSize {
  /** Products of a company. */
  readonly count: number;
  /** Different names among them: the API makes one product of each, all others are copies. */
  readonly names: number;
  /** Companies beside the first, each with as many products, in the same collections. */
  readonly others: number;
}

export interface Catalogue {
  /** The products of the first company, oldest first. */
  readonly ids: readonly string[];
  /** The names, each of which is a tag of the same products, and is found in no other. */
  readonly words: readonly string[];
  /** For each name, where a range of the index begins that holds a key of each text with this name, and of no other. */
  readonly ranges: readonly number[];
  /** Entries of a product in the index of texts. */
  readonly entries: number;
}

interface Original {
  readonly product: mongo.WithId<mongo.Document>;
  readonly text: mongo.WithId<mongo.Document>;
}

/** Fills the catalogue: products as the API writes them, with all that is searched. */
export async function fillCatalogue(
  context: BenchContext,
  { count, names, others }: CatalogueSize,
): Promise<Catalogue> {
  const { db, company } = context;
  const words = Array.from({ length: names }, () => randomBytes(4).toString('hex'));
  const originals = await makeOriginals(context, words);
  const copied = await copy(db, originals, new ObjectId(company), count - names);
  for (let made = 0; made < others; made += 1) {
    const scope = randomInt(SCOPES);
    const scoped = originals.map(({ product, text }) => ({ product, text: inScope(text, scope) }));
    await copy(db, scoped, new ObjectId(), count);
  }
  const ids = [...originals.map(({ product }) => product._id.toHexString()), ...copied];
  const entries = originals.reduce((sum, { text }) => sum + keysOf(text).length, 0) / names;
  return { ids, words, ranges: ownRanges(originals), entries };
}

function ownRanges(originals: readonly Original[]): number[] {
  const ranges = originals.map(({ text }) => new Set(rangesOf(text)));
  return ranges.map((own) => {
    const others = ranges.filter((one) => one !== own);
    const found = [...own].find((range) => !others.some((one) => one.has(range)));
    if (found === undefined) throw new Error('two names are too much alike');
    return found;
  });
}

async function makeOriginals({ admin, db }: BenchContext, words: readonly string[]): Promise<Original[]> {
  const originals: Original[] = [];
  for (const word of words) {
    const body = { ...PRODUCT, name: word, tags: [...PRODUCT.tags, word] };
    const made = { _id: new ObjectId(idIn(await admin.made('/products', body))) };
    const product = await db.collection('products').findOne(made);
    const text = await db.collection('search_texts').findOne(made);
    if (product === null || text === null) throw new Error(`product ${word} was not made`);
    originals.push({ product, text });
  }
  return originals;
}

/** Inserts copies, those of one name after each other; gives their ids. */
async function copy(
  db: mongo.Db,
  originals: readonly Original[],
  company: mongo.ObjectId,
  count: number,
): Promise<string[]> {
  const each = Math.ceil(count / originals.length);
  const copies = Array.from({ length: count }, (_, at) => {
    const { product, text } = originals[Math.floor(at / each)] as Original;
    const created = new Date((product['created'] as Date).getTime() + at);
    const _id = new ObjectId();
    // No id that the API makes has such a letter.
    const own = {
      _id,
      company,
      human_id: `z${at.toString(36).padStart(7, '0')}`,
      created,
      modified: created,
    };
    return { product: { ...product, ...own }, text: { ...text, _id, company } };
  });
  const products = copies.map(({ product }) => product);
  await db.collection('products').insertMany(products);
  await db.collection('search_texts').insertMany(copies.map(({ text }) => text));
  return products.map(({ _id }) => _id.toHexString());
}

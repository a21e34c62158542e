import { randomBytes } from 'node:crypto';

import { idIn } from '@commerce/testing';
import mongoose, { type mongo } from 'mongoose';

import type { Shop } from '../context.js';

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
  /** Products of the company. */
  readonly count: number;
  /** Different names among them: the API makes one product of each, all others are copies. */
  readonly names: number;
}

export interface Catalogue {
  /** The products, oldest first. */
  readonly ids: readonly string[];
  /** The names, each of which is a tag of the same products, and is found in no other. */
  readonly words: readonly string[];
  /** For each name, an entry of the index of texts that leads to the products with this name, and to no other. */
  readonly keys: readonly string[];
}

interface Original {
  readonly product: mongo.WithId<mongo.Document>;
  readonly text: mongo.WithId<mongo.Document>;
}

/** Fills the catalogue of one company: products as the API writes them, with all that is searched. */
export async function fillCatalogue(shop: Shop, { count, names }: CatalogueSize): Promise<Catalogue> {
  const words = Array.from({ length: names }, () => randomBytes(4).toString('hex'));
  const originals = await makeOriginals(shop, words);
  const copied = await copy(shop.db, originals, count - names);
  const ids = [...originals.map(({ product }) => product._id.toHexString()), ...copied];
  const keys = originals.map(({ text }) => keysOf(text));
  const own = keys.map((some) =>
    some.find((key) => !keys.some((other) => other !== some && other.includes(key))),
  );
  return { ids, words, keys: own.map(String) };
}

/** The entries of a text in the index, each as `<field>=<value>`. */
function keysOf(text: mongo.Document): string[] {
  const fields = Object.entries(text).filter(([name]) => name.startsWith('keys'));
  return fields.flatMap(([name, values]) => (values as number[]).map((value) => `${name}=${String(value)}`));
}

async function makeOriginals({ admin, db }: Shop, words: readonly string[]): Promise<Original[]> {
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
async function copy(db: mongo.Db, originals: readonly Original[], count: number): Promise<string[]> {
  const each = Math.ceil(count / originals.length);
  const copies = Array.from({ length: count }, (_, at) => {
    const { product, text } = originals[Math.floor(at / each)] as Original;
    const created = new Date((product['created'] as Date).getTime() + at);
    const _id = new ObjectId();
    // No id that the API makes has such a letter.
    const human_id = `z${at.toString(36).padStart(7, '0')}`;
    const own = { _id, human_id, created, modified: created };
    return { product: { ...product, ...own }, text: { ...text, _id } };
  });
  const products = copies.map(({ product }) => product);
  await db.collection('products').insertMany(products);
  await db.collection('search_texts').insertMany(copies.map(({ text }) => text));
  return products.map(({ _id }) => _id.toHexString());
}

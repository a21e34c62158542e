import { randomBytes } from 'node:crypto';

import { idIn, type Client } from '@commerce/testing';
import mongoose, { type mongo } from 'mongoose';

import type { BenchContext } from '../context.js';
import { copyOf } from '../measure/collections.js';

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

/**
 * Fills the catalogue of a company with products of so many names: the API makes one of each, with all that is searched,
 * and the others are copies, those of one name after each other.
 */
export async function fillCatalogue(
  { db }: BenchContext,
  admin: Client,
  { count, names }: { readonly count: number; readonly names: number },
) {
  const words = Array.from({ length: names }, () => randomBytes(4).toString('hex'));
  const originals: mongo.Document[] = [];
  const texts: mongo.Document[] = [];
  for (const word of words) {
    const body = { ...PRODUCT, name: word, tags: [...PRODUCT.tags, word] };
    const made = { _id: new ObjectId(idIn(await admin.made('/products', body))) };
    const product = await db.collection('products').findOne(made);
    const text = await db.collection('search_texts').findOne(made);
    if (product === null || text === null) throw new Error(`product ${word} was not made`);
    originals.push(product);
    texts.push(text);
  }
  const nth = (at: number): number => Math.floor((at * names) / count);
  const copies = Array.from({ length: count - names }, (_, at) => {
    const created = new Date(Date.now() + at);
    return { ...copyOf(originals[nth(at)] ?? {}), created, modified: created };
  });
  await db.collection('products').insertMany(copies);
  await db.collection('search_texts').insertMany(copies.map(({ _id }, at) => ({ ...texts[nth(at)], _id })));
  return {
    /** Of the products, oldest first. */
    ids: [...originals, ...copies].map(({ _id }) => String(_id)),
    /** The names, each of which is a tag of the same products, and is found in no other. */
    words,
    /** For each name, an entry of the index of texts that leads to the products with this name, and to no other. */
    keys: ownOf(texts.map(keysOf)).map(String),
  };
}

/** The entries of a text in the index, each as `<field>=<value>`. */
function keysOf(text: mongo.Document): string[] {
  const fields = Object.entries(text).filter(([name]) => name.startsWith('keys'));
  return fields.flatMap(([name, values]) => (values as number[]).map((value) => `${name}=${String(value)}`));
}

function ownOf(keys: readonly string[][]): (string | undefined)[] {
  const inAnother = (key: string, own: string[]) =>
    keys.some((other) => other !== own && other.includes(key));
  return keys.map((own) => own.find((key) => !inAnother(key, own)));
}

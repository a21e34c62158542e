import { randomBytes } from 'node:crypto';

import { idIn } from '@commerce/testing';
import mongoose, { type mongo } from 'mongoose';

import type { BenchContext } from '../context.js';
import { PRODUCT } from './same.js';

const { ObjectId } = mongoose.mongo;

/** Names of products, unless told otherwise: the API makes one product of each, all others are copies of these. */
const NAMES = 50;
const BATCH = 500;

/** The products that are read. */
export interface Catalogue {
  /** In the order in which they were made. */
  readonly ids: readonly string[];
  /** The names, each of which is a tag of the same products, too, and is found in no other. */
  readonly words: readonly string[];
}

/** Fills the catalogue of the company: products as the API writes them, with all that is searched. */
export async function fillCatalogue(
  context: BenchContext,
  count: number,
  names: number = NAMES,
): Promise<Catalogue> {
  const { admin, db } = context;
  const words = Array.from({ length: names }, () => randomBytes(4).toString('hex'));
  const ids: string[] = [];
  for (const word of words) {
    const product = { ...PRODUCT, name: word, tags: [...PRODUCT.tags, word] };
    ids.push(idIn(await admin.made('/products', product)));
  }
  const made = { _id: { $in: ids.map((id) => new ObjectId(id)) } };
  const products = await db.collection('products').find(made).toArray();
  const texts = await db.collection('search_texts').find(made).toArray();
  const textOf = new Map(texts.map((text) => [text._id.toHexString(), text]));
  for (let from = names; from < count; from += BATCH) {
    const copies = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) =>
      copyOf(products[(from + index) % names], from + index),
    );
    await db.collection('products').insertMany(copies.map(({ product }) => product));
    const copied = copies.map(({ product, original }) => ({ ...textOf.get(original), _id: product._id }));
    await db.collection('search_texts').insertMany(copied);
    ids.push(...copies.map(({ product }) => product._id.toHexString()));
  }
  return { ids, words };
}

function copyOf(
  original: mongo.WithId<mongo.Document> | undefined,
  index: number,
): { product: mongo.WithId<mongo.Document>; original: string } {
  if (original === undefined) throw new Error('a product was not made');
  const created = new Date((original['created'] as Date).getTime() + index);
  const own = { _id: new ObjectId(), human_id: randomBytes(4).toString('hex'), created, modified: created };
  return { product: { ...original, ...own }, original: original._id.toHexString() };
}

/** Gives another company copies of all products of the first, so many of each, in the same collections. */
export async function copyCatalogue({ db, company }: BenchContext, times: number): Promise<void> {
  const products = db.collection('products');
  const own = { company: new ObjectId(company) };
  const texts = db.collection('search_texts');
  const all = await products.find(own, { projection: { _id: 1 } }).toArray();
  const others = Array.from({ length: times }, () => new ObjectId());
  for (let from = 0; from < all.length; from += BATCH) {
    const part = { _id: { $in: all.slice(from, from + BATCH).map(({ _id }) => _id) } };
    const originals = await products.find(part).toArray();
    const textOf = new Map((await texts.find(part).toArray()).map((text) => [text._id.toHexString(), text]));
    for (const other of others) {
      const copies = originals.map((original, index) => copyOf(original, index));
      await products.insertMany(copies.map(({ product }) => ({ ...product, company: other })));
      await texts.insertMany(
        copies.map(({ product, original }) => ({
          ...textOf.get(original),
          _id: product._id,
          company: other,
        })),
      );
    }
  }
}

import { randomBytes } from 'node:crypto';

import { idIn } from '@commerce/testing';
import mongoose, { type mongo } from 'mongoose';

import type { BenchContext } from '../context.js';
import { PRODUCT } from './same.js';

const { ObjectId } = mongoose.mongo;

/** Products of one name that the API makes; all others are copies of these. */
const NAMES = 50;
const BATCH = 500;

/** The products that are read. */
export interface Catalogue {
  /** In the order in which they were made. */
  readonly ids: readonly string[];
  /** Each is part of the texts of one product in fifty, and of no other. */
  readonly words: readonly string[];
}

/** Fills the catalogue of the company: products as the API writes them, with all that is searched. */
export async function fillCatalogue(context: BenchContext, count: number): Promise<Catalogue> {
  const { admin, db } = context;
  const words = Array.from({ length: NAMES }, () => randomBytes(4).toString('hex'));
  const ids: string[] = [];
  for (const word of words) ids.push(idIn(await admin.made('/products', { ...PRODUCT, name: word })));
  const made = { _id: { $in: ids.map((id) => new ObjectId(id)) } };
  const products = await db.collection('products').find(made).toArray();
  const texts = await db.collection('search_texts').find(made).toArray();
  const textOf = new Map(texts.map((text) => [text._id.toHexString(), text]));
  for (let from = NAMES; from < count; from += BATCH) {
    const copies = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) =>
      copyOf(products[(from + index) % NAMES], from + index),
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

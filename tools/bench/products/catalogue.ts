import { randomBytes, randomInt } from 'node:crypto';

import { idIn } from '@commerce/testing';
import mongoose, { type mongo } from 'mongoose';
import pMap from 'p-map';

import type { BenchContext } from '../context.js';
import { PRODUCT } from './same.js';
import { SCOPES, inScope } from './text-keys.js';

const { ObjectId } = mongoose.mongo;

const BATCH = 500;
const BATCHES_AT_ONCE = 4;

export interface CatalogueSize {
  /** Products of a company. */
  readonly count: number;
  /** Different names among them: the API makes one product of each, all others are copies of these. */
  readonly names: number;
  /** Companies beside the first, each with as many products, in the same collections. */
  readonly others: number;
  /** What a product is like apart from its name and tags; `PRODUCT` unless told otherwise. */
  readonly like?: (name: string) => object;
}

/** The products that are read. */
export interface Catalogue {
  /** Those of the first company, in the order in which they were made. */
  readonly ids: readonly string[];
  /** The names, each of which is a tag of the same products, too, and is found in no other. */
  readonly words: readonly string[];
  /** What the copies were made of. */
  readonly originals: readonly Original[];
}

export interface Original {
  readonly product: mongo.WithId<mongo.Document>;
  readonly text: mongo.WithId<mongo.Document>;
}

/** Fills the catalogue: products as the API writes them, with all that is searched. */
export async function fillCatalogue(context: BenchContext, size: CatalogueSize): Promise<Catalogue> {
  const { count, names, others, like = () => PRODUCT } = size;
  const { db, company } = context;
  const words = Array.from({ length: names }, () => randomBytes(4).toString('hex'));
  const originals = await makeOriginals(context, words, like);
  const more = count - names;
  const copied = await copy(db, originals, {
    owner: new ObjectId(company),
    each: Math.ceil(more / names),
    from: 0,
    to: more,
  });
  for (let made = 0; made < others; made += 1) {
    await copy(db, scopedAnew(originals), {
      owner: new ObjectId(),
      each: Math.ceil(count / names),
      from: 0,
      to: count,
    });
  }
  const ids = [...originals.map(({ product }) => product._id.toHexString()), ...copied];
  return { ids, words, originals };
}

async function makeOriginals(
  { admin, db }: BenchContext,
  words: readonly string[],
  like: (name: string) => object,
): Promise<Original[]> {
  const ids: string[] = [];
  for (const word of words) {
    const product = { ...like(word), name: word, tags: [...PRODUCT.tags, word] };
    ids.push(idIn(await admin.made('/products', product)));
  }
  const made = { _id: { $in: ids.map((id) => new ObjectId(id)) } };
  const products = byId(await db.collection('products').find(made).toArray());
  const texts = byId(await db.collection('search_texts').find(made).toArray());
  return ids.map((id) => ({ product: found(products, id), text: found(texts, id) }));
}

function byId(rows: readonly mongo.WithId<mongo.Document>[]): Map<string, mongo.WithId<mongo.Document>> {
  return new Map(rows.map((row) => [row._id.toHexString(), row]));
}

function found<T>(rows: ReadonlyMap<string, T>, id: string): T {
  const row = rows.get(id);
  if (row === undefined) throw new Error(`product ${id} was not made`);
  return row;
}

interface Copies {
  readonly owner: mongo.ObjectId;
  /** Of each name. */
  readonly each: number;
  readonly from: number;
  readonly to: number;
}

/** Gives the ids of the copies, in their order. */
async function copy(db: mongo.Db, originals: readonly Original[], copies: Copies): Promise<string[]> {
  const starts: number[] = [];
  for (let start = copies.from; start < copies.to; start += BATCH) starts.push(start);
  const batches = await pMap(
    starts,
    async (from) => {
      const batch = copiesOf(originals, { ...copies, from, to: Math.min(from + BATCH, copies.to) });
      await Promise.all([
        db.collection('products').insertMany(batch.map(({ product }) => product)),
        db.collection('search_texts').insertMany(batch.map(({ text }) => text)),
      ]);
      return batch.map(({ product }) => product._id.toHexString());
    },
    { concurrency: BATCHES_AT_ONCE },
  );
  return batches.flat();
}

/** The originals with the keys of another company's texts. */
export function scopedAnew(originals: readonly Original[]): Original[] {
  const scope = randomInt(SCOPES);
  return originals.map(({ product, text }) => ({ product, text: inScope(text, scope) }));
}

/** Copies number `from` to `to`, which go to the database as they are; those of one name follow each other. */
export function copiesOf(originals: readonly Original[], { owner, each, from, to }: Copies): Original[] {
  return Array.from({ length: to - from }, (_, at) => {
    const original = originals[Math.floor((from + at) / each) % originals.length];
    if (original === undefined) throw new Error('there is nothing to copy');
    return copyOf(original, owner, from + at);
  });
}

function copyOf({ product, text }: Original, company: mongo.ObjectId, index: number): Original {
  const created = new Date((product['created'] as Date).getTime() + index);
  const _id = new ObjectId();
  // No id that the API makes has such a letter.
  const human_id = `z${index.toString(36).padStart(7, '0')}`;
  return {
    product: { ...product, _id, company, human_id, created, modified: created },
    text: { ...text, _id, company },
  };
}

/**
 * The bare side of the products benchmark: Express and the driver, reading and writing the documents that the service
 * reads and writes, on the same server, with the same concerns. No callers, no rules, no checks.
 */
import { randomBytes } from 'node:crypto';

import express from 'express';
import mongoose from 'mongoose';

import { variable } from '../child.js';
import { CONNECTION } from '../measure/connection.js';
import { inRange, rangesOf } from './text-keys.js';

/** A page, and one more that tells whether there is a next one. */
const LISTED = 21;
/** The service counts no further. */
const COUNTED = 10_001;
/** Texts from which the range of keys that a search asks the index for is worked out. */
const SAMPLE = 100;

const { MongoClient, ObjectId } = mongoose.mongo;
const client = await new MongoClient(variable('MONGODB_URI'), CONNECTION).connect();
const products = client.db().collection('products');
const written = client.db().collection('bare_products');
const company = new ObjectId(variable('BENCH_COMPANY'));
const texts = client.db().collection('search_texts');
const writtenTexts = client.db().collection('bare_search_texts');
const pattern = await products.findOne({ _id: new ObjectId(variable('BENCH_PATTERN')) });
const patternText = await texts.findOne({ _id: new ObjectId(variable('BENCH_PATTERN')) });

const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.use(express.json());

app.get('/health', (_request, response) => {
  response.json({ status: 'ok' });
});

app.get('/products/:id', async (request, response) => {
  const found = await products.findOne({ _id: new ObjectId(request.params.id), company });
  if (found === null) response.status(404).json({ status: 404 });
  else response.json(found);
});

const shown = { company, deleted: false };
const newest = await products.find(shown).sort({ created: -1 }).limit(LISTED).toArray();
/** The index is read in order, and no further than the page goes. */
const page = { ...shown, created: { $gte: newest.at(-1)?.['created'] as Date } };

const sample = await texts.find({ company }).limit(SAMPLE).toArray();

app.get('/products', async (request, response) => {
  const sort = { created: -1, _id: -1 } as const;
  const found = await products.find(page).sort(sort).limit(LISTED).toArray();
  if (request.query['total'] === 'true')
    response.setHeader('X-Total', await products.countDocuments(shown, { limit: COUNTED }));
  response.json(found);
});

app.get('/search', async (request, response) => {
  const { query } = request.query as { query: string };
  const range = inRange(await rangeOf(query));
  const found = await texts
    .find({ ...range, company, kind: 'product' }, { projection: { text: 1 } })
    .toArray();
  const ids = found.filter(({ text }) => String(text).includes(query)).map(({ _id }) => _id);
  const among = { _id: { $in: ids }, ...shown };
  response.json(await products.find(among).sort({ created: -1, _id: -1 }).limit(LISTED).toArray());
});

/** What a search is without an index of texts. */
app.get('/scan', async (request, response) => {
  const { query } = request.query as { query: string };
  const found = texts.find({ company, kind: 'product', text: { $regex: query } }, { projection: { _id: 1 } });
  const ids = (await found.toArray()).map(({ _id }) => _id);
  const among = { _id: { $in: ids }, ...shown };
  response.json(await products.find(among).sort({ created: -1, _id: -1 }).limit(LISTED).toArray());
});

const known = new Map<string, Promise<number>>();

/** The range that the index is asked for: worked out once for each word, where the service works it out each time. */
function rangeOf(word: string): Promise<number> {
  const found = known.get(word) ?? readRange(word);
  known.set(word, found);
  return found;
}

/** A range in which every text that has the word has a key, and the fewest others. */
async function readRange(word: string): Promise<number> {
  const having = await texts
    .find({ company, text: { $regex: word } })
    .limit(SAMPLE)
    .toArray();
  const [first = [], ...others] = having.map(rangesOf);
  const shared = first.filter((range) => others.every((ranges) => ranges.includes(range)));
  const frequency = (range: number): number => sample.filter((text) => rangesOf(text).includes(range)).length;
  return shared.reduce((rarest, range) => (frequency(range) < frequency(rarest) ? range : rarest));
}

app.post('/products', async (request, response) => {
  const now = new Date();
  const { name } = request.body as { name: string };
  const product: Record<string, unknown> = {
    ...pattern,
    _id: new ObjectId(),
    human_id: randomBytes(4).toString('hex'),
    name,
    created: now,
    modified: now,
  };
  await written.insertOne(product);
  await writtenTexts.insertOne({ ...patternText, _id: product['_id'] as never });
  response.json(product);
});

const server = app.listen(Number(variable('BENCH_PORT')), '127.0.0.1');
process.once('SIGTERM', () => {
  server.closeAllConnections();
  const end = (): never => process.exit(0);
  server.close(() => {
    client.close().then(end, end);
  });
});

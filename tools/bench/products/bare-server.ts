/**
 * The bare side of the products benchmark: Express and the driver, reading and writing the documents that the service
 * reads and writes, on the same server, with the same concerns. No callers, no rules, no checks.
 */
import { randomBytes } from 'node:crypto';

import express from 'express';
import mongoose, { type mongo } from 'mongoose';

import { connect, variable } from '../measure/connect.js';

/** A page, and one more that tells whether there is a next one. */
const LISTED = 21;
/** The service counts no further. */
const COUNTED = 10_001;

const { ObjectId } = mongoose.mongo;
const client = await connect(variable('MONGODB_URI'));
const products = client.db().collection('products');
const written = client.db().collection('bare_products');
const texts = client.db().collection('search_texts');
const writtenTexts = client.db().collection('bare_search_texts');
const given = { _id: new ObjectId(variable('BENCH_PATTERN')) };
const pattern = await products.findOne(given);
const patternText = await texts.findOne(given);
const company = pattern?.['company'] as mongo.ObjectId;

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

app.get('/products', async (request, response) => {
  const sort = { created: -1, _id: -1 } as const;
  const found = await products.find(page).sort(sort).limit(LISTED).toArray();
  if (request.query['total'] === 'true')
    response.setHeader('X-Total', await products.countDocuments(shown, { limit: COUNTED }));
  response.json(found);
});

async function pageAmong(found: readonly mongo.Document[]): Promise<mongo.Document[]> {
  const among = { _id: { $in: found.map(({ _id }) => _id as mongo.ObjectId) }, ...shown };
  return products.find(among).sort({ created: -1, _id: -1 }).limit(LISTED).toArray();
}

app.get('/search', async (request, response) => {
  const { query, key } = request.query as Record<'query' | 'key', string>;
  const [field = '', value] = key.split('=');
  const asked = { [field]: Number(value), company, kind: 'product' };
  const found = await texts.find(asked, { projection: { text: 1 } }).toArray();
  response.json(await pageAmong(found.filter(({ text }) => String(text).includes(query))));
});

/** A search without an index of texts. */
app.get('/scan', async (request, response) => {
  const { query } = request.query as { query: string };
  const asked = { company, kind: 'product', text: { $regex: query } };
  response.json(await pageAmong(await texts.find(asked, { projection: { _id: 1 } }).toArray()));
});

app.post('/products', async (request, response) => {
  const now = new Date();
  const { name } = request.body as { name: string };
  const _id = new ObjectId();
  const human_id = randomBytes(4).toString('hex');
  const product = { ...pattern, _id, human_id, name, created: now, modified: now };
  await written.insertOne(product);
  await writtenTexts.insertOne({ ...patternText, _id });
  response.json(product);
});

app.listen(Number(variable('BENCH_PORT')), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));

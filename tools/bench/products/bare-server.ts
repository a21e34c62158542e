/**
 * The bare side of the products benchmark: Express and the driver, reading and writing the documents that the service
 * reads and writes, on the same server, with the same concerns. No callers, no rules, no checks.
 */
import { randomBytes } from 'node:crypto';

import express from 'express';
import mongoose from 'mongoose';

import { variable } from '../child.js';
import { CONNECTION } from '../measure/connection.js';

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

import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

import { getConnectionToken } from '@nestjs/mongoose';
import { Database } from '@commerce/data';
import { eventually, idIn, type Client } from '@commerce/testing';
import { mongo, type Connection } from 'mongoose';

import { Scenario } from '../flows/scenario.js';
import { Shop } from '../shop.js';
import type { World } from '../world.js';

const { EJSON } = mongo.BSON;

/** The key that seals the secrets of the kept data. */
export const SECRET_KEYS = '0a'.repeat(32);

/** A small company as a version has stored it, and what that version replied of it. */
export interface KeptData {
  readonly apiKey: string;
  readonly serviceKey: string;
  readonly clock: string;
  readonly subscription: string;
  /** Replies by path, as JSON. */
  readonly replies: Readonly<Record<string, string>>;
  readonly collections: Readonly<Record<string, KeptCollection>>;
}

interface KeptCollection {
  readonly indexes: mongo.IndexDescription[];
  readonly documents: mongo.Document[];
}

export function readKept(path: string): KeptData {
  return EJSON.parse(gunzipSync(readFileSync(path)).toString(), { relaxed: false }) as KeptData;
}

/** Has a company sell, bill and invoice, and keeps what it has by then. */
export async function keepData(world: World, path: string): Promise<void> {
  const { apiKey, serviceKey, admin } = world;
  const { clock, subscription, paths } = await sell(world);
  const replies: Record<string, string> = {};
  for (const one of paths) replies[one] = JSON.stringify(await admin.read(one));
  const collections = await collectionsOf(world);
  const kept: KeptData = { apiKey, serviceKey, clock, subscription, replies, collections };
  writeFileSync(path, gzipSync(EJSON.stringify(kept, { relaxed: false }), { level: 9 }));
}

/** Puts kept data beside what the database has, with the indexes of its version in the place of its own. */
export async function restoreKept(world: World, { collections }: KeptData): Promise<void> {
  const connection = world.api.get<Connection>(getConnectionToken());
  for (const [name, { indexes, documents }] of Object.entries(collections)) {
    const rows = connection.collection(name);
    await rows.dropIndexes();
    const own = indexes.filter((index) => index.name !== '_id_');
    if (own.length > 0) await rows.createIndexes(own);
    if (documents.length > 0) await rows.insertMany(documents);
  }
}

/** What a new installation makes for itself. */
const OF_INSTALLATION = new Set(['billing_holds', 'signing_keys', 'sweep_leases']);

async function collectionsOf(world: World): Promise<Record<string, KeptCollection>> {
  const kept: Record<string, KeptCollection> = {};
  for (const { collection } of world.get(Database).collections()) {
    if (OF_INSTALLATION.has(collection.collectionName)) continue;
    const documents = await collection.find({}).toArray();
    const indexes = await collection.indexes();
    if (documents.length > 0) kept[collection.collectionName] = { indexes, documents };
  }
  return kept;
}

interface Sold {
  readonly clock: string;
  readonly subscription: string;
  /** The paths of what can be read of it. */
  readonly paths: readonly string[];
}

/** An order that a card paid, partly refunded, and a subscription on a test clock that the balance pays. */
async function sell(world: World): Promise<Sold> {
  const { admin } = world;
  await admin.changed('/company', {
    seller: {
      ...{ name: 'Teehaus GmbH', vat_id: 'DE136695976', invoice_prefix: 'R' },
      address: { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
    },
  });
  const shop = new Shop(world);
  const buyer = await shop.buyer();
  const product = await shop.product({ name: 'Copper kettle', price: 119, vat: 0.19 });
  const coupon = await shop.coupon({ code: 'KETTLE10', percent_off: 0.1, currency: 'EUR' });
  const items = [{ product, quantity: 2 }];
  const order = await buyer.client.made('/orders', {
    items,
    coupon: coupon.code,
    payment_method: buyer.card,
  });
  const payment = String(order.payment.$oid);
  await admin.made(`/payments/${payment}/refunds`, { amount: 20, reason: 'Goodwill' });
  const webhook = await admin.made('/webhooks', {
    ...{ kinds: ['order.created', 'user.updated'], confirm: 'later', active: false },
    endpoint: `${(await world.receiver()).url}/hooks`,
  });
  const scenario = await Scenario.begin(world, '2027-01-15');
  await admin.made(`/users/${scenario.user}/credits`, { amount: 100, currency: 'EUR' });
  const plan = await scenario.plan({ name: 'Kettle club', prepay: true, vat: 0.19 });
  const payment_method = await scenario.card();
  const starts = { user: scenario.user, payment_method, start_now: true };
  const subscription = idIn(await admin.made('/subscriptions', { plan, ...starts }));
  await scenario.until('2027-01-20');
  await admin.made(`/subscriptions/${subscription}/change`, { quantity: 2, at: 'period_end' });
  await untilInvoiced(admin, 3);
  const paths = [
    ...['/company', `/users/${buyer.id}`, `/products/${product}`, `/products/search?query=kettle`],
    ...[`/coupons/${coupon.id}`, `/orders/${idIn(order)}`, `/payments/${payment}`, '/invoices'],
    ...['/payment_methods', `/webhooks/${idIn(webhook)}`, `/plans/${plan}`, `/users/${scenario.user}`],
    ...[`/users/${scenario.user}/credits`, `/subscriptions/${subscription}`],
    ...[`/subscriptions/${subscription}/payments`, `/subscriptions/${subscription}/preview`],
  ];
  return { clock: scenario.clock, subscription, paths };
}

async function untilInvoiced(admin: Client, documents: number): Promise<void> {
  await eventually(
    () => admin.read<any[]>('/invoices'),
    (found) => found.length === documents,
    30_000,
  );
}

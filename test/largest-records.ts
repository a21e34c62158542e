import { eventually, idIn } from '@commerce/testing';

import type { ServiceProcesses } from './processes.js';

/** The most products that the items of an order or a plan name. */
const PRODUCTS = 500;
const ITEMS = 25;
const YEAR_MS = 365 * 86_400_000;

const long = (text: string): string => text.repeat(Math.ceil(256 / text.length)).slice(0, 256);

/** A request, as large as its route takes it. */
export interface Largest {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
}

/** The largest records that a company can have of each kind, and the requests that read and make them. */
export async function largestRequests(service: ServiceProcesses): Promise<Largest[]> {
  const { admin } = service;
  const address = { line1: 'Weg 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
  await admin.changed('/company', {
    seller: {
      ...{ name: 'Shop', vat_id: 'DE136695976', email: 'shop@example.com', phone: '+49 30 901820' },
      address,
    },
  });
  const { user, method } = await service.cardholder('pm_card_visa', {
    billing: { company: 'Ada & Co', address },
  });
  const items = await largestItems(service);
  const order = { items, user, payment_method: method };
  const plan = { name: long('Plan'), interval_unit: 'DAY', prepay: true, currency: 'EUR', items };
  const planId = idIn(await admin.made('/plans', plan));
  const subscription = { plan: planId, user, payment_method: method, start_now: true };
  let [orderId, subscriptionId] = ['', ''];
  for (let count = 0; count < 10; count += 1) {
    orderId = idIn(await admin.made('/orders', order));
    subscriptionId = idIn(await admin.made('/subscriptions', subscription));
  }
  const payments = await eventually(
    () => admin.read('/payments', { size: 100, status: 'SUCCEEDED' }),
    (found) => found.length >= 20,
    60_000,
  );
  const invoices = await eventually(
    () => admin.read('/invoices', { size: 100 }),
    (found) => found.length >= 2,
    60_000,
  );
  const [paid, invoice] = [payments, invoices].map((all) => idIn(all[0]));
  const vans = Array.from({ length: 500 }, (_, n) => ({
    name: `Van ${String(n)}`,
    description: 'd\u00e9 '.repeat(480),
    user,
  }));
  const last = Date.now() + 2 * YEAR_MS;
  const get = (path: string): Largest => ({ name: path, method: 'GET', path });
  const post = (path: string, body: unknown, name = path): Largest => ({ name, method: 'POST', path, body });
  return [
    post('/plans/preview', { ...plan, count: 36 }),
    post('/subscriptions/preview', { plan: planId, user, count: 36 }),
    post(`/subscriptions/${subscriptionId}/change/preview`, { quantity: 2, count: 36 }),
    get(`/subscriptions/${subscriptionId}/preview?count=36`),
    get(`/subscriptions/${subscriptionId}/preview?count=36&stop=${String(last)}`),
    get(`/payments/${paid ?? ''}/explanation`),
    get(`/payments/${paid ?? ''}`),
    get(`/orders/${orderId}`),
    get(`/plans/${planId}`),
    get(`/subscriptions/${subscriptionId}`),
    get(`/invoices/${invoice ?? ''}`),
    get(`/invoices/${invoice ?? ''}.html`),
    get(`/invoices/${invoice ?? ''}.xml`),
    get(`/invoices/${invoice ?? ''}.pdf`),
    ...['/orders', '/plans', '/subscriptions', '/payments', '/invoices', '/events', '/products'].map((path) =>
      get(`${path}?size=100`),
    ),
    get('/subscriptions/search'),
    get('/products/search?size=100&query=kettle'),
    get('/search?query=kettle'),
    get('/forecast?months=36'),
    get('/revenue?months=36'),
    post('/orders', order),
    post('/plans', plan),
    post('/subscriptions', subscription),
    post('/resources/bulk', vans),
  ];
}

/** Items that name as many products as an order or a plan may. */
async function largestItems({ admin }: ServiceProcesses): Promise<object[]> {
  const product = { price: 10, currency: 'EUR', active: true, vat: 0.19 };
  const sub_products: string[] = [];
  for (let n = 1; n < PRODUCTS / ITEMS; n += 1) {
    const values = { ...product, name: long(`Cup ${String(n)} `), main_product: false };
    sub_products.push(idIn(await admin.made('/products', values)));
  }
  const items: object[] = [];
  for (let n = 0; n < ITEMS; n += 1) {
    const kettle = idIn(await admin.made('/products', { ...product, name: long(`Kettle ${String(n)} `) }));
    await admin.changed(`/products/${kettle}/sub_products`, { add: sub_products });
    items.push({ product: kettle, sub_products });
  }
  return items;
}

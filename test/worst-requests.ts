import { readFileSync } from 'node:fs';

import type { LargestRecords } from './largest-records.js';
import { WorstBody, type Known } from './worst-body.js';

const BODY_LIMIT = 100 * 1024 - 2048;
const BULK_LIMIT = 1024 * 1024 - 8192;
const YEAR_MS = 365 * 86_400_000;
const IN_A_YEAR = Date.now() + YEAR_MS;

const document: any = JSON.parse(readFileSync('openapi.json', 'utf8'));

/** A request that makes its route work as much as the API document permits. */
export interface WorstRequest {
  readonly path: string;
  readonly body?: unknown;
}

interface Worst {
  /** The record to act on, a new one for each try where an action is possible once. */
  readonly id?: (records: LargestRecords) => Promise<string>;
  /** Fields of the body that the document cannot tell, such as ids that belong together; undefined leaves one out. */
  readonly known?: (records: LargestRecords) => Known;
  readonly body?: (records: LargestRecords) => unknown;
  readonly query?: string;
  /** Why the request is refused. */
  readonly refused?: string;
}

/** Every route of the API document, as `get /products/{id}`. */
export const ROUTES: readonly string[] = Object.entries<any>(document.paths).flatMap(([path, item]) =>
  ['get', 'post', 'put', 'delete'].filter((method) => item[method] !== undefined).map((m) => `${m} ${path}`),
);

let made = 0;
const next = (): number => (made += 1);
const unused = (path: string, body: object) => (records: LargestRecords) => records.made(path, body);
const paidOrder = (records: LargestRecords): Promise<string> => records.paidOrder();
const openOrder = (records: LargestRecords): Promise<string> => records.made('/orders', records.order);
const subscription = (records: LargestRecords): Promise<string> => records.paidSubscription();
const withOrder = (records: LargestRecords): object => ({ ...records.order, payment_method: records.card });
const withPlan = (records: LargestRecords): object => ({ ...records.plan, note: 'Ǆ'.repeat(8000) });
const clock = unused('/test_clocks', { frozen_time: 1_900_000_000_000 });
const key = unused('/keys', { kind: 'api' });
const user = (records: LargestRecords): Promise<string> => records.made('/users', { name: 'Ada' });

const PRODUCT = (records: LargestRecords): Known => ({
  currency: 'EUR',
  sub_products: records.parts.slice(0, 200),
  main_product: true,
  attributes: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`key${String(n)}`, 'Ǆ'.repeat(30)])),
  media: Array.from({ length: 20 }, () => ({ image: records.ids['image'] })),
  image: records.ids['image'],
  max_distance: 1000,
  default_position: [13, 52],
});

const COUPON = (records: LargestRecords): Known => ({
  currency: undefined,
  percent_off: 0.1,
  amount_off: undefined,
  products: records.mains,
  plans: undefined,
  code: () => `CODE ${String(next())}`.padEnd(60, 'X'),
  starting_date: undefined,
  ending_date: IN_A_YEAR,
  duration_in_intervals: undefined,
});

const USER: Known = {
  email: () => `worst-${String(next())}@example.com`,
  external_reference: () => `worst ${String(next())}`.padEnd(250, 'x'),
  timezone: 'America/Argentina/ComodRivadavia',
  country: 'DE',
  locale: 'de-DE',
  vat_id: 'DE136695976',
  vat_id_verified: undefined,
  country_confirmed: undefined,
  test_clock: undefined,
};

const SELLER: Known = {
  ...USER,
  logo: undefined,
  invoice_prefix: 'WORST-',
  mode: 'manual',
  customers: undefined,
  rates: () => Array.from({ length: 150 }, (_, n) => rate(n)),
};

function rate(n: number): object {
  const from = new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);
  return { country: 'DE', tax_category: 'standard', rate: 0.19, from };
}

const RESOURCE = (records: LargestRecords): Known => ({
  user: records.user,
  product: records.mains[0],
  image: records.ids['image'],
  method: 'retail',
  sub_products: () => records.parts.slice(0, 4),
});

const SUBSCRIPTION = { infinite: true, ending_date: undefined, interval_total: undefined };

const ATTRIBUTES = Array.from({ length: 100 }, (_, n) => ({
  key: `key${String(n)}`.padEnd(64, 'k'),
  kind: 'string',
}));

/** What the API document alone does not say of its routes. */
const WORST: Readonly<Record<string, Worst>> = {
  'get /products': { query: 'size=100&sort=-name' },
  'get /products/search': { query: `size=100&sort=-name&query=${encodeURIComponent('wörd')}` },
  'post /products': { known: PRODUCT },
  'put /products/{id}': {
    id: unused('/products', { name: 'Tin', price: 1, currency: 'EUR' }),
    known: PRODUCT,
  },
  'delete /products/{id}': { id: unused('/products', { name: 'Tea', price: 1, currency: 'EUR' }) },
  'put /products/{id}/sub_products': {
    id: unused('/products', { name: 'Pot', price: 1, currency: 'EUR' }),
    known: ({ parts }) => ({ add: parts.slice(0, 200) }),
  },
  'post /plans': { body: withPlan },
  'post /plans/preview': { body: (records) => ({ ...withPlan(records), quantity: 2, count: 36 }) },
  'put /plans/{id}': { id: (records) => records.made('/plans', records.plan) },
  'delete /plans/{id}': { id: (records) => records.made('/plans', records.plan) },
  'post /subscriptions': { body: (records) => ({ ...records.subscription, note: 'Ǆ'.repeat(8000) }) },
  'post /subscriptions/preview': { body: (records) => ({ ...records.subscription, count: 36 }) },
  'get /subscriptions/{id}/preview': { query: `count=36&stop=${String(IN_A_YEAR)}` },
  'put /subscriptions/{id}': {
    id: subscription,
    known: ({ card }) => ({ ...SUBSCRIPTION, payment_method: card }),
  },
  'delete /subscriptions/{id}': {
    id: (records) => records.made('/subscriptions', { plan: records.ids['plan'], user: records.user }),
  },
  'post /subscriptions/{id}/start': {
    id: (records) => records.made('/subscriptions', { plan: records.ids['plan'], user: records.user }),
    body: ({ card }) => ({ payment_method: card, infinite: true }),
  },
  'post /subscriptions/{id}/stop': { id: subscription, body: () => ({}) },
  'post /subscriptions/{id}/pause': { id: subscription, body: () => ({}) },
  'post /subscriptions/{id}/release': { id: subscription },
  'post /subscriptions/{id}/change': { id: subscription, body: () => ({ quantity: 2, collect: 'first' }) },
  'post /subscriptions/{id}/change/preview': { id: subscription, body: () => ({ quantity: 2, count: 36 }) },
  'delete /subscriptions/{id}/change': {
    id: async (records) => {
      const id = await records.paidSubscription();
      await records.service.admin.made(`/subscriptions/${id}/change`, { quantity: 2, at: 'period_end' });
      return id;
    },
  },
  'delete /subscriptions/{id}/coupon': { id: subscription },
  'post /payment_methods': { body: ({ user: of }) => ({ payment_method: 'stripe', user: of }) },
  'put /payment_methods/{id}': {
    id: (records) => records.emptyMethod(),
    body: () => ({ payment_method_id: 'pm_card_visa', default: true }),
  },
  'delete /payment_methods/{id}': { id: (records) => records.emptyMethod() },
  'get /forecast': { query: 'months=36', refused: 'query.timeout' },
  'get /payments/totals': {
    query: `from_date=${String(IN_A_YEAR - 2 * YEAR_MS)}&to_date=${String(IN_A_YEAR)}`,
  },
  'post /payments/{id}/refunds': {
    id: async (records) => paymentOf(records, await records.paidOrder()),
    body: () => ({ reason: 'x'.repeat(256), to: 'card' }),
  },
  'put /exchange_rates': {
    body: () => ({
      rates: Array.from({ length: 300 }, (_, n) => ({ currency: 'USD', rate: 1.1, day: rateDay(n) })),
    }),
  },
  'post /orders': { body: withOrder },
  'put /orders/{id}': { id: paidOrder },
  'post /orders/{id}/pay': { id: openOrder, body: ({ card }) => ({ payment_method: card }) },
  'post /orders/{id}/cancel': { id: openOrder },
  'post /coupons': { known: COUPON },
  'put /coupons/{id}': { known: COUPON },
  'delete /coupons/{id}': { id: unused('/coupons', { percent_off: 0.1 }) },
  'put /company': { known: () => SELLER },
  'post /users': { known: () => USER },
  'put /users/{id}': { id: user, known: () => USER },
  'delete /users/{id}': { id: user },
  'post /users/{id}/credits': { known: () => ({ currency: 'EUR', amount: 1 }) },
  'post /resources': { known: RESOURCE },
  'post /resources/bulk': { known: RESOURCE },
  'put /resources/{id}': { known: (records) => ({ ...RESOURCE(records), sub_products: undefined }) },
  'delete /resources/{id}': { id: unused('/resources', { name: 'Van' }) },
  'delete /images/{id}': { id: (records) => records.image() },
  'get /images/{id}/content': { query: 'width=2048' },
  'post /templates': { refused: 'template.model_taken', known: () => ({ attributes: ATTRIBUTES }) },
  'put /templates/{id}': { body: () => ({ name: 'Ǆ'.repeat(250) }) },
  'delete /templates/{id}': {},
  'post /webhooks': { known: () => webhook() },
  'delete /webhooks/{id}': {
    id: unused('/webhooks', { event_type: 'user.created', endpoint: 'https://a.example' }),
  },
  'put /webhooks/{id}': { id: (records) => records.webhook(), known: () => webhook() },
  'post /webhooks/{id}/verify': { id: (records) => records.webhook() },
  'post /webhooks/{id}/rotate_secret': { id: (records) => records.webhook() },
  'post /webhooks/{id}/simulate': { known: () => ({ kind: 'order.updated' }) },
  'delete /test_clocks/{id}': { id: clock },
  'post /test_clocks/{id}/advance': { id: clock, body: () => ({ frozen_time: 1_900_000_100_000 }) },
  'post /keys': { known: () => ({ kind: 'api', expires: IN_A_YEAR }) },
  'delete /keys/{id}': { id: key },
  'post /keys/{id}/roll': { id: key, body: () => ({}) },
  'post /images': { refused: 'value.invalid' },
  'post /provider_notices/stripe': { refused: 'notice.invalid' },
};

/** The code with which the worst request of a route is refused; undefined where it succeeds. */
export const refusalOf = (route: string): string | undefined => WORST[route]?.refused;

/** The worst request of a route; each call prepares the records that it needs. */
export async function worstRequest(route: string, records: LargestRecords): Promise<WorstRequest> {
  if (route === 'post /payments/{id}/confirm') return confirmation(records);
  const [method = '', template = ''] = route.split(' ');
  const operation = document.paths[template][method];
  const { id, known, body, query = worstQuery(operation) } = WORST[route] ?? {};
  const noun = template.split('/')[1]!.replace('deliveries', 'delivery').replace(/s$/, '');
  const of = template.includes('{id}') ? await (id?.(records) ?? records.ids[noun]) : '';
  if (of === undefined) throw new Error(`no record of kind ${noun}`);
  const path = `${template.replace('{id}', of)}?${query}`;
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (schema === undefined) return { path };
  if (body !== undefined) return { path, body: body(records) };
  const limit = template.endsWith('/bulk') ? BULK_LIMIT : BODY_LIMIT;
  return { path, body: new WorstBody(document, known?.(records) ?? {}, limit).bodyFor(schema) };
}

/** The largest permitted query: the largest page, the longest text. */
function worstQuery(operation: any): string {
  const query = new URLSearchParams();
  for (const { name, in: place, schema, required } of operation.parameters ?? []) {
    if (place !== 'query' || ['after', 'page', 'from_date', 'to_date'].includes(name)) continue;
    if (name === 'size') query.set(name, '100');
    else if (name === 'months') query.set(name, '36');
    else if (name === 'query') query.set(name, 'wörd');
    else if (name === 'tags') query.set(name, 'one');
    else if (required === true) query.set(name, schema.type === 'string' ? 'wörd'.repeat(32) : '1');
  }
  return query.toString();
}

async function confirmation(records: LargestRecords): Promise<WorstRequest> {
  const payment = await records.authentication();
  const { payment_intent_id, intent_client_secret } = payment.metadata;
  const path = `/payments/${String(payment._id.$oid)}/confirm`;
  return { path, body: { payment_intent_id, payment_client_secret: intent_client_secret } };
}

async function paymentOf({ service }: LargestRecords, order: string): Promise<string> {
  return (await service.admin.read(`/orders/${order}`)).payment.$oid;
}

function rateDay(n: number): string {
  return new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);
}

function webhook(): Known {
  const endpoint = `https://a.example/${String(next())}`.padEnd(2000, 'x');
  return { kinds: undefined, endpoint, event_type: 'order.updated', confirm: 'later' };
}

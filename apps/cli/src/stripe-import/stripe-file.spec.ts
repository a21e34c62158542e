import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CUSTOMER, PRICE, PRODUCT, SUBSCRIPTION, listOf } from './stripe-examples.spec-data.js';
import { objectsIn } from './stripe-file.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stripe-file-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function kindsIn(text: string): Promise<string[]> {
  const path = join(folder, 'export.json');
  writeFileSync(path, text);
  const kinds: string[] = [];
  for await (const { object } of objectsIn(path)) kinds.push(object);
  return kinds;
}

const ALL = [CUSTOMER, PRODUCT, PRICE, SUBSCRIPTION];
const KINDS = ['customer', 'product', 'price', 'subscription'];
const pretty = (value: unknown): string => JSON.stringify(value, null, 2);
/** As `jq -S` prints it. */
const sorted = (list: object): string =>
  pretty(Object.fromEntries(Object.entries(list).sort(([one], [other]) => (one < other ? -1 : 1))));

describe('an export', () => {
  it.each([
    ['one list', pretty(listOf(...ALL))],
    ['one list in one line', JSON.stringify(listOf(...ALL))],
    ['one list after the other', ALL.map((one) => pretty(listOf(one))).join('\n')],
    ['lists in a list', pretty(ALL.map((one) => listOf(one)))],
    ['lists under names', pretty(Object.fromEntries(ALL.map((one) => [one.object, listOf(one)])))],
    ['one array', pretty(ALL)],
    ['one array in one line', JSON.stringify(ALL)],
    ['one array after the other', ALL.map((one) => pretty([one])).join('\n')],
    ['arrays under names', pretty(Object.fromEntries(ALL.map((one) => [one.object, [one]])))],
    ['arrays in an array', pretty(ALL.map((one) => [one]))],
    ['one object after the other', ALL.map((one) => pretty(one)).join('\n')],
    ['a list with sorted keys', sorted(listOf(...ALL))],
    ['lists with a byte order mark', `\uFEFF${pretty(listOf(...ALL))}`],
    ['lines with a byte order mark', `\uFEFF${ALL.map((one) => JSON.stringify(one)).join('\n')}`],
    ['a line for each array', ALL.map((one) => JSON.stringify([one])).join('\n')],
    ['a line for each object', ALL.map((one) => JSON.stringify(one)).join('\n')],
    ['a line for each list', `${ALL.map((one) => JSON.stringify(listOf(one))).join('\r\n')}\r\n\r\n`],
  ])('is %s', async (_form, text) => {
    expect(await kindsIn(text)).toEqual(KINDS);
  });

  it('may hold other things, and must be JSON', async () => {
    expect(await kindsIn(pretty(listOf({ id: 'in_1', object: 'invoice' }, CUSTOMER, null as never)))).toEqual(
      ['customer'],
    );
    await expect(kindsIn('{"object":"list","data":[{')).rejects.toThrow('cannot be read');
    await expect(kindsIn(`${JSON.stringify(CUSTOMER)}\nno`)).rejects.toThrow('cannot be read');
  });

  it.each([
    ['nothing', ''],
    ['an empty list', pretty(listOf())],
    ['other objects only', pretty(listOf({ id: 'in_1', object: 'invoice' }))],
    ['numbers', '[1,2]'],
    ['prices and coupons only', pretty(listOf(PRICE, { id: 'SPRING', object: 'coupon', duration: 'once' }))],
  ])('is refused when it holds %s', async (_form, text) => {
    await expect(kindsIn(text)).rejects.toThrow('it holds no customer, product or subscription');
  });

  const refused = {
    error: { type: 'invalid_request_error', message: 'This property cannot be expanded (x).' },
  };
  it.each([
    ['alone', pretty(refused)],
    ['before lists', [refused, listOf(...ALL)].map(pretty).join('\n')],
    ['after lists', [listOf(...ALL), refused].map(pretty).join('\n')],
    ['among lists', pretty([listOf(...ALL), refused])],
    ['on a line', [listOf(...ALL), refused].map((one) => JSON.stringify(one)).join('\n')],
  ])('is refused when it holds an answer that is an error, %s', async (_where, text) => {
    await expect(kindsIn(text)).rejects.toThrow('with an error: This property cannot be expanded (x).');
  });

  it('is refused when it mixes lists with objects outside lists', async () => {
    const text = [pretty(listOf(CUSTOMER)), pretty(SUBSCRIPTION)].join('\n');
    await expect(kindsIn(text)).rejects.toThrow('a subscription stands outside a list');
    await expect(kindsIn(pretty([listOf(CUSTOMER), SUBSCRIPTION]))).rejects.toThrow('outside a list');
  });

  describe('of pages', () => {
    const first = { ...listOf(CUSTOMER), url: '/v1/customers', has_more: true };
    const last = { ...listOf({ ...CUSTOMER, id: 'cus_2' }), url: '/v1/customers' };
    const others = { ...listOf(SUBSCRIPTION), url: '/v1/subscriptions' };
    const forms: readonly (readonly [string, (pages: readonly object[]) => string])[] = [
      ['consecutive lists', (pages) => pages.map(pretty).join('\n')],
      ['consecutive lists with sorted keys', (pages) => pages.map(sorted).join('\n')],
      ['lists in a list', pretty],
      ['lines', (pages) => pages.map((page) => JSON.stringify(page)).join('\n')],
    ];

    it.each(forms)('holds the last one of each list: %s', async (_form, written) => {
      expect(await kindsIn(written([first, last, others]))).toHaveLength(3);
      const why = 'its last list of /v1/customers says has_more';
      await expect(kindsIn(written([first, others]))).rejects.toThrow(why);
      await expect(kindsIn(written([first]))).rejects.toThrow(why);
    });

    it('may lack pages of what is not imported', async () => {
      const invoices = { ...listOf({ id: 'in_1', object: 'invoice' }), url: '/v1/invoices', has_more: true };
      expect(await kindsIn([invoices, last].map(pretty).join('\n'))).toEqual(['customer']);
    });
  });
});

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

describe('an export', () => {
  it.each([
    ['one list', pretty(listOf(...ALL))],
    ['one list in one line', JSON.stringify(listOf(...ALL))],
    ['one list after the other', ALL.map((one) => pretty(listOf(one))).join('\n')],
    ['lists in a list', pretty(ALL.map((one) => listOf(one)))],
    ['lists under names', pretty(Object.fromEntries(ALL.map((one) => [one.object, listOf(one)])))],
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
});

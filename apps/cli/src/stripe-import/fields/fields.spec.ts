import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

import { CURRENCY_OPTION_FIELDS, PRICE_FIELDS, PRODUCT_FIELDS } from './catalog-fields.js';
import { COUPON_FIELDS, COUPON_OPTION_FIELDS, CUSTOMER_FIELDS, DISCOUNT_FIELDS } from './customer-fields.js';
import { refusalsOf, type FieldTable } from './field-table.js';
import { ITEM_FIELDS, SUBSCRIPTION_FIELDS, TAX_RATE_FIELDS } from './subscription-fields.js';

const RESOURCES = join(dirname(fileURLToPath(import.meta.resolve('stripe'))), 'resources');

const TABLES: readonly (readonly [string, FieldTable])[] = [
  ['Customers Customer', CUSTOMER_FIELDS],
  ['Subscriptions Subscription', SUBSCRIPTION_FIELDS],
  ['SubscriptionItems SubscriptionItem', ITEM_FIELDS],
  ['Prices Price', PRICE_FIELDS],
  ['Prices Price CurrencyOptions', CURRENCY_OPTION_FIELDS],
  ['Products Product', PRODUCT_FIELDS],
  ['Coupons Coupon', COUPON_FIELDS],
  ['Coupons Coupon CurrencyOptions', COUPON_OPTION_FIELDS],
  ['Discounts Discount', DISCOUNT_FIELDS],
  ['TaxRates TaxRate', TAX_RATE_FIELDS],
];

/** The fields of an interface in a file of the stripe package, with the types that they name. */
function fieldsOf(place: string): Map<string, string> {
  const [file = '', ...names] = place.split(' ');
  const text = readFileSync(join(RESOURCES, `${file}.d.ts`), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  let statements: readonly ts.Statement[] = source.statements;
  for (const name of names.slice(0, -1)) {
    const space = statements.find((one) => ts.isModuleDeclaration(one) && one.name.text === name);
    const body = (space as ts.ModuleDeclaration).body as ts.ModuleBlock;
    statements = body.statements;
  }
  const found = statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === names.at(-1));
  const members = (found as ts.InterfaceDeclaration).members as ts.NodeArray<ts.PropertySignature>;
  return new Map(
    members.map((member) => [(member.name as ts.Identifier).text, member.type?.getText(source) ?? '']),
  );
}

/** Whether a type that a file names is an object, not a choice of words. */
function isInterface(place: string, type: string): boolean {
  const [file = ''] = place.split(' ');
  const name = type.split('.').at(-1) ?? '';
  return readFileSync(join(RESOURCES, `${file}.d.ts`), 'utf8').includes(`interface ${name} {`);
}

/** The tables of the objects inside these, each with the place of its type. */
function withInner([place, table]: (typeof TABLES)[number]): (readonly [string, FieldTable])[] {
  const types = fieldsOf(place);
  // A type is named from the module that holds the interface.
  const outer = place.split(' ').slice(0, -1);
  const inner = Object.entries(table).flatMap(([field, meaning]) => {
    if (typeof meaning === 'string' || !('inside' in meaning)) return [];
    const [type = ''] = (types.get(field) ?? '').split(' | ');
    return withInner([[...outer, ...type.split('.')].join(' '), meaning.inside]);
  });
  return [[place, table], ...inner];
}

describe('the table of', () => {
  it.each(TABLES.flatMap(withInner))("%s names each field of Stripe's API", (place, table) => {
    const unnamed = [...fieldsOf(place).keys()].filter((field) => !Object.hasOwn(table, field));
    expect(unnamed).toEqual([]);
  });

  it.each(TABLES.flatMap(withInner))('%s looks into each object that it reads', (place, table) => {
    // An object of the same file, such as `Subscription.TrialSettings | null`; lists of objects have rules of their own.
    const whole = [...fieldsOf(place)].filter(
      ([field, type]) => table[field] === 'read' && /^[A-Z]\w*\.[A-Z]\w*( \| null)?$/.test(type),
    );
    const isWords = ([, type]: [string, string]): boolean => !isInterface(place, type.replace(' | null', ''));
    expect(whole.filter((one) => !isWords(one))).toEqual([]);
  });
});

describe('a field that is read', () => {
  const folder = join(dirname(fileURLToPath(import.meta.url)), '..');
  const rules = readdirSync(folder)
    .filter((name) => /^[\w-]+(-rules|-importer)\.ts$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

  it.each(TABLES.flatMap(withInner))('has a rule: %s', (_place, table) => {
    const names = Object.keys(table).filter((field) => table[field] === 'read' && field !== 'object');
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(rules))).toEqual([]);
  });
});

describe('a field that is not in the table', () => {
  it.each([[1], ['text'], [true], [{ type: 'new' }], [['one']]])(
    'is refused where it is set: %j',
    (value) => {
      expect(refusalsOf({}, { brand_new: value }, 'it')).toEqual([
        'it has a field that is not understood: brand_new',
      ]);
    },
  );

  it.each([[null], [undefined], [''], [0], [false], [[]], [{}]])('has no effect where it is %j', (value) => {
    expect(refusalsOf({}, { brand_new: value }, 'it')).toEqual([]);
  });

  it('is refused inside of objects that are read', () => {
    const from = { automatic_tax: { enabled: false, provider: 'other' } };
    expect(refusalsOf(SUBSCRIPTION_FIELDS, from, 'it')).toEqual([
      'it has a field that is not understood: automatic_tax.provider',
    ]);
  });
});

import { isFault } from '@commerce/kernel';

import { parseBody } from './body.js';
import { parseId } from '../fields/id.js';
import { CreateThing, ID, UpdateThing, valid } from './thing.spec-data.js';

function refused(input: unknown, type: typeof CreateThing | typeof UpdateThing = CreateThing): string[] {
  try {
    parseBody(type as typeof CreateThing, input);
    return [];
  } catch (error) {
    if (!isFault(error)) throw error;
    return (error.details.errors ?? []).map(({ path, code }) => `${path} ${code}`);
  }
}

describe('a body that creates', () => {
  it('gets the defaults of omitted fields', () => {
    const { properties, ...body } = parseBody(CreateThing, valid);
    expect(body).toEqual({
      name: 'n',
      currency: 'EUR',
      price: 1.5,
      count: null,
      weight: null,
      active: true,
      unit: 'MONTH',
      since: null,
      parent: null,
      others: [],
      tags: [],
      position: null,
      email: null,
      parts: [],
      box: null,
    });
    expect(properties.value).toEqual({});
  });

  it('reads ids, instants, folded words and currencies', () => {
    const body = parseBody(CreateThing, {
      ...valid,
      currency: 'eur',
      unit: 'day',
      since: 1706659200,
      parent: ID.toUpperCase(),
      others: [ID],
      weight: -0,
    });
    expect(body.currency).toBe('EUR');
    expect(body.unit).toBe('DAY');
    expect(body.since).toEqual(new Date(1706659200000));
    expect(body.parent).toEqual(parseId(ID));
    expect(body.others).toEqual([parseId(ID)]);
    expect(Object.is(body.weight, 0)).toBe(true);
  });

  it('requires fields without a default', () => {
    expect(refused({})).toEqual(['name value.invalid', 'currency value.invalid']);
  });

  it('does not share defaults between bodies', () => {
    parseBody(CreateThing, valid).tags.push('x');
    expect(parseBody(CreateThing, valid).tags).toEqual([]);
  });
});

describe('a body that changes', () => {
  it('holds the given fields only', () => {
    expect(Object.keys(parseBody(UpdateThing, { name: 'n', count: null }))).toEqual(['name', 'count']);
    expect(Object.keys(parseBody(UpdateThing, {}))).toEqual([]);
  });

  it('accepts null only in fields that may be null', () => {
    expect(refused({ count: null, parent: null, since: null }, UpdateThing)).toEqual([]);
    expect(refused({ name: null, price: null, tags: null }, UpdateThing)).toEqual([
      'name value.invalid',
      'price value.invalid',
      'tags value.invalid',
    ]);
  });

  it('gives nested values, which are replaced whole, their defaults', () => {
    expect(parseBody(UpdateThing, { parts: [{ name: 'a' }] }).parts).toEqual([
      { name: 'a', discount: 0, colour: null },
    ]);
  });
});

describe('an invalid body', () => {
  it.each([null, [], 'x', 1, true])('is not an object: %p', (input) => {
    expect(refused(input)).toEqual([' body.invalid']);
  });

  it('names every unknown field, nested ones by their path', () => {
    expect(
      refused({ ...valid, nme: 1, parts: [{ name: 'a' }, { name: 'b', x: 1 }], box: { parts: [], y: 1 } }),
    ).toEqual(['nme field.unknown', 'parts.1.x field.unknown', 'box.y field.unknown']);
  });

  it.each(['company', '_id', 'sys', 'constructor', '__proto__', 'toString', '$where'])(
    'refuses the field %s',
    (name) => {
      const input = JSON.parse(`{"name":"n","currency":"EUR",${JSON.stringify(name)}:{}}`) as unknown;
      expect(refused(input)).toEqual([`${name} field.unknown`]);
    },
  );

  it.each<[string, object]>([
    ['name', { name: '' }],
    ['name', { name: 'abcdef' }],
    ['name', { name: 1 }],
    ['name', { name: ['n'] }],
    ['name', { name: 'a\0' }],
    ['name', { name: '\ud83d' }],
    ['currency', { currency: 'EURO' }],
    ['currency', { currency: 'E1R' }],
    ['price', { price: -1 }],
    ['price', { price: '10' }],
    ['price', { price: Infinity }],
    ['price', { price: NaN }],
    ['price', { price: 1e21 }],
    ['price', { price: { $gt: 0 } }],
    ['price', { price: true }],
    ['count', { count: 1.5 }],
    ['count', { count: 0 }],
    ['count', { count: 10 }],
    ['active', { active: 'true' }],
    ['active', { active: 1 }],
    ['unit', { unit: 'YEAR' }],
    ['since', { since: -1 }],
    ['since', { since: '2024-01-31' }],
    ['since', { since: 1.5 }],
    ['parent', { parent: 'x' }],
    ['parent', { parent: { $oid: ID } }],
    ['others', { others: [ID, 'x'] }],
    ['others', { others: [ID, ID, ID] }],
    ['others', { others: ID }],
    ['tags', { tags: ['abcde'] }],
    ['tags', { tags: ['a', 1] }],
    ['tags', { tags: ['a', 'b', 'c'] }],
    ['tags', { tags: ['\0'] }],
    ['position', { position: [1] }],
    ['position', { position: [1, '2'] }],
    ['email', { email: 'nobody' }],
    ['parts', { parts: {} }],
    ['parts', { parts: [1] }],
    ['parts', { parts: [[{ name: 'a' }]] }],
    ['parts', { parts: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }],
    ['parts.0.name', { parts: [{}] }],
    ['parts.1.discount', { parts: [{ name: 'a' }, { name: 'b', discount: 1.1 }] }],
    ['box', { box: [{ parts: [] }] }],
    ['box.parts.0.colour', { box: { parts: [{ name: 'a', colour: 'green' }] } }],
    ['properties', { properties: 'x' }],
    ['properties', { properties: 5 }],
    ['rules', { rules: {} }],
  ])('refuses a bad %s: %j', (path, bad) => {
    expect(refused({ ...valid, ...bad })).toContain(`${path} value.invalid`);
  });

  it('names all bad fields together', () => {
    expect(refused({ name: 1, currency: 'EUR', price: -1, x: 1 })).toEqual([
      'x field.unknown',
      'name value.invalid',
      'price value.invalid',
    ]);
  });

  it('names the nested value in the message', () => {
    const message = (): unknown => parseBody(CreateThing, { ...valid, parts: [{ name: 5 }] });
    expect(message).toThrow('parts.0.name must be a string');
  });
});

describe('free JSON in a body', () => {
  it('is preserved byte for byte', () => {
    const text =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{}},"$gt":"","a.b":{"toString":0},"valueOf":[]}';
    const body = parseBody(CreateThing, JSON.parse(`{"name":"n","currency":"EUR","properties":${text}}`));
    expect(JSON.stringify(body.properties.value)).toBe(text);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('is refused with its limits under its own name', () => {
    expect(refused({ ...valid, properties: { a: 'x'.repeat(65_536) } })).toEqual([
      'properties value.too_large',
    ]);
  });

  it('goes back to its default by null', () => {
    expect(parseBody(UpdateThing, { properties: null }).properties?.value).toEqual({});
    expect(parseBody(UpdateThing, { rules: null }).rules).toBeNull();
  });

  it('may be a list where no shape is declared', () => {
    expect(parseBody(CreateThing, { ...valid, properties: [1] }).properties.value).toEqual([1]);
    expect(parseBody(CreateThing, { ...valid, rules: [{ a: 1 }] }).rules?.value).toEqual([{ a: 1 }]);
  });
});

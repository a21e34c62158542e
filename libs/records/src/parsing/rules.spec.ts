import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';

import { createBody, parseBody } from './body.js';
import { parseId } from '../fields/id.js';
import { ListOf } from '../fields/list-fields.js';
import { passesRules } from './rules.js';
import { ALL, CreateThing, ID, Part, Thing, UpdateThing } from './thing.spec-data.js';

describe('the cached rules', () => {
  const anything = fc.oneof(
    fc.constantFrom<unknown>(null, undefined, '', 'n', 'abcdef', 0, 1, 1.5, -1, NaN, Infinity, true, [], {}),
    fc.constantFrom<unknown>(
      ['a'],
      [1, 2],
      [parseId(ID)],
      parseId(ID),
      new Date(0),
      'EUR',
      'DAY',
      [null],
      [{}],
    ),
    fc.array(
      fc
        .record({ name: fc.constantFrom('a', 1), discount: fc.constantFrom(0, 2, undefined) })
        .map((part) => Object.assign(new Part(), part)),
      { maxLength: 3 },
    ),
  );
  const some = fc.record(Object.fromEntries(ALL.map((name) => [name, anything])), { requiredKeys: [] });

  it.each([
    ['creates', CreateThing],
    ['changes', UpdateThing],
  ])('agree with class-validator on a body that %s', (_, type) => {
    fc.assert(
      fc.property(some, (values) => {
        const body = Object.assign(Object.create(type.prototype as object) as object, values);
        const found = validateSync(body, { stopAtFirstError: true, forbidUnknownValues: false });
        expect(passesRules(body)).toBe(found.length === 0);
      }),
      { numRuns: 500 },
    );
  });

  it('convert a value as class-transformer does by the same field decorators', () => {
    const input = { name: 'tea', currency: 'eur', price: 2, parts: [{ name: 'a', colour: 'RED' }] };
    class Parcel extends createBody(Thing, ['name', 'currency', 'price']) {
      @ListOf(() => Part)
      parts: Part[];
    }
    const read = parseBody(Parcel, input);
    const transformed = plainToInstance(Parcel, input);
    expect([transformed.currency, transformed.parts[0]?.colour]).toEqual([
      read.currency,
      read.parts[0]?.colour,
    ]);
    expect([read.currency, read.parts[0]?.colour]).toEqual(['EUR', 'red']);
    expect(transformed.parts[0]).toBeInstanceOf(Part);
  });
});

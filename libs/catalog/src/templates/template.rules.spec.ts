import { isFault } from '@commerce/kernel';
import { FreeJson } from '@commerce/records';

import { ATTRIBUTE_KINDS, type Attribute } from './attribute.js';
import { checkValues } from './attribute-values.js';
import { changedAttributes, newAttributes } from './template.rules.js';

function refused(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!isFault(error)) throw error;
    return (error.details.errors ?? []).map(({ path, code }) => `${path} ${code}`);
  }
}

const colour: Attribute = { key: 'colour', kind: 'string', human_id: 'AAAAAA' };
const weight: Attribute = { key: 'weight', kind: 'float', human_id: 'BBBBBB' };
const before = [colour, weight];

describe('the attributes of a new template', () => {
  it('get short ids', () => {
    const made = newAttributes([
      { key: 'colour', kind: 'string' },
      { key: 'Colour', kind: 'url' },
    ]);
    expect(made.map(({ key, kind }) => [key, kind])).toEqual([
      ['colour', 'string'],
      ['Colour', 'url'],
    ]);
    for (const { human_id } of made) expect(human_id).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
    expect(made[0]?.human_id).not.toBe(made[1]?.human_id);
  });

  it('have distinct keys', () => {
    const twice = [colour, weight, colour, { ...colour, kind: 'int' as const }];
    expect(refused(() => newAttributes(twice))).toEqual([
      'attributes.2.key attribute.repeated',
      'attributes.3.key attribute.repeated',
    ]);
  });
});

describe('an update of attributes', () => {
  it('can add some, in any order', () => {
    const size = { key: 'size', kind: 'int' as const, human_id: null };
    expect(changedAttributes(before, [weight, size, colour])).toEqual([
      weight,
      { ...size, human_id: expect.stringMatching(/^[2-9A-HJKMNP-Z]{6}$/) },
      colour,
    ]);
    expect(changedAttributes(before, before)).toEqual(before);
  });

  it.each<[string, Parameters<typeof changedAttributes>[1], string[]]>([
    ['omit one', [colour], ['attributes attribute.missing']],
    ['remove all', [], ['attributes attribute.missing', 'attributes attribute.missing']],
    ['change a key', [{ ...colour, key: 'color' }, weight], ['attributes.0.key attribute.key_fixed']],
    ['change a kind', [colour, { ...weight, kind: 'int' }], ['attributes.1.kind attribute.kind_fixed']],
    ['omit the human_id of one', [colour, { ...weight, human_id: null }], ['attributes attribute.missing']],
    [
      'reference an unknown one',
      [colour, weight, { key: 'size', kind: 'int', human_id: 'CCCCCC' }],
      ['attributes.2.human_id attribute.unknown'],
    ],
    [
      'repeat a key',
      [colour, weight, { key: 'colour', kind: 'int', human_id: null }],
      ['attributes.2.key attribute.repeated'],
    ],
  ])('cannot %s', (_, given, errors) => {
    expect(refused(() => changedAttributes(before, given))).toEqual(errors);
  });
});

describe('the value of an attribute', () => {
  const attributes = ATTRIBUTE_KINDS.map((kind) => ({ key: kind, kind, human_id: kind }));
  const check = (values: object): string[] =>
    refused(() => checkValues(FreeJson.of(values, 'attributes'), attributes));

  it.each<[string, unknown[], unknown[]]>([
    ['string', ['', 'red', '0', '👩‍👩‍👧'], [1, true, null, [], {}, 'x'.repeat(16_385)]],
    [
      'url',
      ['http://a', 'https://shop.example/a?b=c#d', 'HTTPS://SHOP.EXAMPLE', 'https://münchen.example/ü'],
      [
        '',
        'a',
        'ftp://a',
        'javascript:alert(1)',
        'http:a',
        'https:///a',
        'https://a b',
        ' https://a',
        'https://',
        1,
      ],
    ],
    [
      'email',
      ['ada@shop.example'],
      ['ada', 'ada@', '@shop.example', 'a b@shop.example', 'ada@shop', 1, null],
    ],
    ['int', [0, -1, 2 ** 53 - 1], [1.5, 2 ** 53, '1', true, null]],
    ['float', [0, 1.5, -2.25e-7, 3], ['1.5', true, null, [1]]],
    ['boolean', [true, false], ['true', 0, 1, null]],
  ])('%s', (kind, right, wrong) => {
    for (const value of right) expect([value, check({ [kind]: value })]).toEqual([value, []]);
    for (const value of wrong) {
      expect([value, check({ [kind]: value })]).toEqual([value, [`attributes.${kind} value.invalid`]]);
    }
  });

  it('must belong to an existing attribute', () => {
    const values = JSON.parse('{"__proto__":"a","toString":"b","":"c","$gt":1}') as object;
    expect(check(values)).toEqual(
      ['__proto__', 'toString', '', '$gt'].map((key) => `attributes.${key} attribute.unknown`),
    );
    const odd = [{ key: '__proto__', kind: 'string' as const, human_id: 'x' }];
    expect(refused(() => checkValues(FreeJson.of(values, 'attributes'), odd))).toHaveLength(3);
  });
});

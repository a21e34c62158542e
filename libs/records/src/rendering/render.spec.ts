import { render } from './render.js';
import { replyJson } from './reply-json.js';
import { FreeJson } from '../fields/free-json.js';
import { parseId } from '../fields/id.js';
import { ListOf, Refs } from '../fields/list-fields.js';
import { Text } from '../fields/text-fields.js';
import { AnyJson, Flag, Instant, Ref, Written } from '../fields/value-fields.js';

const id = parseId('65b9a1c2d3e4f5061728394a');
const other = parseId('65b9a1c2d3e4f5061728394b');
const date = new Date(1706659200000);

class Part {
  @Text()
  name: string;

  @Ref('thing', { optional: true })
  of: unknown;

  @Text({ hidden: true, optional: true })
  secret: string | null;
}

abstract class Base {
  @Ref('thing')
  _id: unknown;

  @Instant({ last: true })
  created: Date;
}

class Thing extends Base {
  @Refs('thing')
  others: unknown[];

  @ListOf(() => Part)
  parts: Part[];

  @AnyJson()
  properties: FreeJson;

  @Written({ hidden: true })
  sys: unknown;

  @Text({ optional: true })
  note: string | null;

  @Flag({ last: true })
  deleted: boolean;
}

function thing(values: object): Thing {
  return Object.assign(new Thing(), values);
}

const full = thing({
  deleted: false,
  sys: { version: 3 },
  parts: [{ secret: 's', of: id, name: 'a', more: 'not a field' }],
  properties: FreeJson.of({ $oid: 'x', when: { $date: 5 } }, 'properties'),
  created: date,
  others: [other],
  _id: id,
});

describe('the JSON of a reply', () => {
  it('wraps ids and dates, in the order of the class, without hidden fields', () => {
    expect(replyJson(full)).toBe(
      '{"_id":{"$oid":"65b9a1c2d3e4f5061728394a"},' +
        '"others":[{"$oid":"65b9a1c2d3e4f5061728394b"}],' +
        '"parts":[{"name":"a","of":{"$oid":"65b9a1c2d3e4f5061728394a"}}],' +
        '"properties":{"$oid":"x","when":{"$date":5}},"note":null,' +
        '"created":{"$date":1706659200000},"deleted":false}',
    );
  });

  it('renders lists and plain objects to their leaves', () => {
    expect(
      JSON.parse(replyJson({ list: [id, { at: date, gone: undefined }], big: 12n, 'a "key"': '"\n' })),
    ).toEqual({
      list: [{ $oid: '65b9a1c2d3e4f5061728394a' }, { at: { $date: 1706659200000 } }],
      big: 12,
      'a "key"': '"\n',
    });
  });

  it('has the values that JSON.stringify writes, byte by byte', () => {
    const values = [
      null,
      true,
      '\ud800 \u2028 é',
      -0,
      1e21,
      5e-324,
      NaN,
      Infinity,
      {},
      [],
      [[]],
      { a: [{}] },
    ];
    expect(replyJson(values)).toBe(JSON.stringify(values));
    expect(replyJson([undefined])).toBe('[null]');
  });

  it('has free JSON as it is kept', () => {
    const json = '{"1":1,"__proto__":{"a":-1e-7},"b":"\\ud800","$date":5}';
    const kept = FreeJson.stored(json);
    expect([replyJson(kept), JSON.stringify(kept)]).toEqual([json, json]);
  });
});

describe('an event', () => {
  it('has ids as text and dates as numbers', () => {
    expect(render(full)).toEqual({
      _id: '65b9a1c2d3e4f5061728394a',
      others: ['65b9a1c2d3e4f5061728394b'],
      parts: [{ name: 'a', of: '65b9a1c2d3e4f5061728394a' }],
      properties: { $oid: 'x', when: { $date: 5 } },
      note: null,
      created: 1706659200000,
      deleted: false,
    });
  });
});

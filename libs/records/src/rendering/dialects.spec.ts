import { EVENT, REPLY, render } from './dialects.js';
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

describe('the reply dialect', () => {
  it('wraps ids and dates, in the order of the class, without hidden fields', () => {
    expect(JSON.stringify(render(full, REPLY))).toBe(
      '{"_id":{"$oid":"65b9a1c2d3e4f5061728394a"},' +
        '"others":[{"$oid":"65b9a1c2d3e4f5061728394b"}],' +
        '"parts":[{"name":"a","of":{"$oid":"65b9a1c2d3e4f5061728394a"}}],' +
        '"properties":{"$oid":"x","when":{"$date":5}},"note":null,' +
        '"created":{"$date":1706659200000},"deleted":false}',
    );
  });

  it('renders lists and plain objects to their leaves', () => {
    expect(render({ list: [id, { at: date, gone: undefined }], big: 12n }, REPLY)).toEqual({
      list: [{ $oid: '65b9a1c2d3e4f5061728394a' }, { at: { $date: 1706659200000 } }],
      big: 12,
    });
  });
});

describe('the event dialect', () => {
  it('leaves ids as text and dates as numbers', () => {
    expect(render(full, EVENT)).toEqual({
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

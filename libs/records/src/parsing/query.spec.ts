import { isFault } from '@commerce/kernel';

import { parseId, type Id } from '../fields/id.js';
import { Refs, Texts } from '../fields/list-fields.js';
import { Decimal } from '../fields/number-fields.js';
import { Choice, Text } from '../fields/text-fields.js';
import { Flag, Ref } from '../fields/value-fields.js';
import type { PageQuery } from './page-query.js';
import { listQuery, pageOf, parseQuery, type RawQuery } from './query.js';

class ListThingsQuery extends listQuery({
  sortable: ['created', 'name'],
  sort: '-created',
  dates: ['created', 'modified'],
}) {
  @Text({ optional: true })
  status: string | null;

  @Choice(['RED', 'BLUE'], { optional: true })
  colour: string | null;

  @Flag({ optional: true })
  active: boolean | null;

  @Decimal({ optional: true, min: -1, max: 1 })
  weight: number | null;

  @Ref('thing', { optional: true })
  parent: Id | null;

  @Texts({ default: () => [], max: 2, length: 4 })
  tags: string[];

  @Refs('thing', { default: () => [], max: 2 })
  others: Id[];
}

const ID = '65b9a1c2d3e4f5061728394a';

function read(raw: RawQuery): ListThingsQuery {
  return parseQuery(ListThingsQuery, raw);
}

function page(raw: RawQuery): PageQuery {
  return pageOf(read(raw));
}

function refused(raw: RawQuery): string[] {
  try {
    page(raw);
    return [];
  } catch (error) {
    if (!isFault(error, 'value.invalid')) throw error;
    return (error.details.errors ?? []).map(({ path, code }) => `${path} ${code}`);
  }
}

describe('a list query', () => {
  it('has defaults for everything', () => {
    expect(page({})).toEqual({
      size: 10,
      page: 0,
      after: null,
      sort: { field: 'created', direction: -1 },
      filter: {},
      total: false,
    });
  });

  it('sorts descending with a minus', () => {
    expect(page({ sort: 'name' }).sort).toEqual({ field: 'name', direction: 1 });
    expect(page({ sort: '-name' }).sort).toEqual({ field: 'name', direction: -1 });
  });

  it('filters dates from inclusive to exclusive, on the field that date_filter names', () => {
    const query = { from_date: '1706659200', to_date: '1706745600000', date_filter: 'MODIFIED' };
    expect(page(query).filter).toEqual({
      modified: { $gte: new Date('2024-01-31T00:00:00Z'), $lt: new Date('2024-02-01T00:00:00Z') },
    });
    expect(page({ from_date: '0' }).filter).toEqual({ created: { $gte: new Date(0) } });
  });

  it('adds to the filter of its list', () => {
    expect(pageOf(read({ from_date: '0' }), { deleted: false }).filter).toEqual({
      deleted: false,
      created: { $gte: new Date(0) },
    });
  });

  it('is counted only on request', () => {
    expect(page({ total: 'true' }).total).toBe(true);
    expect(refused({ total: 'perhaps' })).toEqual(['total value.invalid']);
  });

  it('continues after a record', () => {
    expect(page({ after: ID }).after).toEqual(parseId(ID));
  });

  it('accepts the parameters that the list declares', () => {
    expect(refused({ status: 'DONE' })).toEqual([]);
  });

  it.each<[string, RawQuery]>([
    ['size', { size: '0' }],
    ['size', { size: '101' }],
    ['size', { size: 'abc' }],
    ['size', { size: '0x10' }],
    ['size', { size: '-1' }],
    ['size', { size: '1e1' }],
    ['size', { size: '' }],
    ['size', { size: '1.5' }],
    ['page', { page: '-1' }],
    ['page', { page: '1000000000' }],
    ['page', { page: '101', size: '100' }],
    ['after', { after: 'x' }],
    ['sort', { sort: '$where' }],
    ['sort', { sort: '--name' }],
    ['sort', { sort: 'constructor' }],
    ['date_filter', { date_filter: 'deleted' }],
    ['date_filter', { date_filter: '__proto__' }],
    ['from_date', { from_date: 'NaN' }],
    ['to_date', { to_date: '-1' }],
    ['to_date', { to_date: '1e18' }],
    ['to_date', { to_date: '8640000000000001' }],
    ['size', { size: ['1', '2'] }],
  ])('refuses a bad %s: %p', (path, raw) => {
    expect(refused(raw)).toEqual(expect.arrayContaining([`${path} value.invalid`]));
  });

  it('allows pages up to 10,000 records deep', () => {
    expect(refused({ page: '100', size: '100' })).toEqual([]);
    expect(refused({ page: '1000', size: '10' })).toEqual([]);
    expect(refused({ page: '1001', size: '10' })).toEqual(['page value.invalid']);
  });

  it.each(['name[$ne]', '$where', '__proto__', 'query', 'constructor'])(
    'refuses the unknown parameter %s',
    (name) => {
      const raw = Object.fromEntries([[name, '1']]);
      expect(refused(raw)).toEqual([`${name} field.unknown`]);
    },
  );

  it('names every bad parameter', () => {
    expect(refused({ size: '0', page: 'x', sort: 'x' })).toEqual([
      'size value.invalid',
      'page value.invalid',
      'sort value.invalid',
    ]);
  });
});

describe('a flag in a query', () => {
  it('is true, false or absent', () => {
    expect(read({ active: 'true' }).active).toBe(true);
    expect(read({ active: '0' }).active).toBe(false);
    expect(read({}).active).toBeNull();
  });

  it.each(['yes', '', 'TRUE', ['true']])('is not %p', (value) => {
    expect(refused({ active: value })).toEqual(['active value.invalid']);
  });
});

describe('other parameters of a query', () => {
  it('are parsed from text like the values of a body', () => {
    const query = read({ colour: 'red', weight: '-0.5', parent: ID, status: '7' });
    expect(query).toMatchObject({ colour: 'RED', weight: -0.5, parent: parseId(ID), status: '7' });
  });

  it('may be lists, even of one value', () => {
    expect(read({ tags: 'a', others: ID })).toMatchObject({ tags: ['a'], others: [parseId(ID)] });
    expect(read({ tags: ['a', 'b'], others: [ID, ID] }).others).toHaveLength(2);
    expect(read({})).toMatchObject({ tags: [], others: [] });
  });

  it.each<[string, RawQuery]>([
    ['colour', { colour: 'green' }],
    ['colour', { colour: ['red', 'blue'] }],
    ['weight', { weight: '2' }],
    ['weight', { weight: 'Infinity' }],
    ['weight', { weight: '1e0' }],
    ['parent', { parent: '{"$ne":1}' }],
    ['status', { status: { $ne: 'x' } }],
    ['status', { status: 'a\0' }],
    ['tags', { tags: ['a', 'b', 'c'] }],
    ['tags', { tags: 'abcde' }],
    ['others', { others: [ID, 'x'] }],
  ])('refuse a bad %s: %p', (path, raw) => {
    expect(refused(raw)).toEqual([`${path} value.invalid`]);
  });
});

import { isFault } from '@commerce/kernel';

import { readFlag, readPage } from './page-readers.js';
import type { RawQuery } from './query.js';

const RULES = {
  sortable: ['created', 'name'],
  sort: '-created',
  dates: { created: 'created', modified: 'modified' },
  others: ['status'],
};

function refused(raw: RawQuery): string[] {
  try {
    readPage(raw, RULES);
    return [];
  } catch (error) {
    if (!isFault(error, 'value.invalid')) throw error;
    return (error.details.errors ?? []).map(({ path, code }) => `${path} ${code}`);
  }
}

describe('a list query', () => {
  it('has defaults for everything', () => {
    expect(readPage({}, RULES)).toEqual({
      size: 10,
      page: 0,
      after: null,
      sort: { field: 'created', direction: -1 },
      filter: {},
    });
  });

  it('sorts descending with a minus', () => {
    expect(readPage({ sort: 'name' }, RULES).sort).toEqual({ field: 'name', direction: 1 });
    expect(readPage({ sort: '-name' }, RULES).sort).toEqual({ field: 'name', direction: -1 });
  });

  it('filters dates from inclusive to exclusive, on the field that date_filter names', () => {
    const query = { from_date: '1706659200', to_date: '1706745600000', date_filter: 'MODIFIED' };
    expect(readPage(query, RULES).filter).toEqual({
      modified: { $gte: new Date('2024-01-31T00:00:00Z'), $lt: new Date('2024-02-01T00:00:00Z') },
    });
    expect(readPage({ from_date: '0' }, RULES).filter).toEqual({ created: { $gte: new Date(0) } });
  });

  it('takes the parameters that the list names', () => {
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

  it.each(['name[$ne]', '$where', '__proto__', 'query'])('refuses the unknown parameter %s', (name) => {
    const raw = Object.fromEntries([[name, '1']]);
    expect(refused(raw)).toEqual([`${name} field.unknown`]);
  });

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
    expect(readFlag({ active: 'true' }, 'active')).toBe(true);
    expect(readFlag({ active: '0' }, 'active')).toBe(false);
    expect(readFlag({}, 'active')).toBeNull();
  });

  it.each(['yes', '', 'TRUE', ['true']])('is not %p', (value) => {
    expect(() => readFlag({ active: value }, 'active')).toThrow('active must be true or false');
  });
});

import { listIndexes, type ListRules } from './list-index.js';

const RULES: ListRules = {
  sorts: ['created', 'name'],
  by: { user: ['created', 'name'], status: ['created'] },
};

describe('The indexes of a list', () => {
  it('serve each sort, after the fields that narrow it', () => {
    expect(listIndexes(RULES)).toEqual([
      { equal: [], sort: 'created' },
      { equal: [], sort: 'name' },
      { equal: ['user'], sort: 'created' },
      { equal: ['user'], sort: 'name' },
      { equal: ['status'], sort: 'created' },
    ]);
    expect(listIndexes({ within: ['webhook'], sorts: ['created'], by: { status: ['created'] } })).toEqual([
      { equal: ['webhook'], sort: 'created' },
      { equal: ['webhook', 'status'], sort: 'created' },
    ]);
  });
});

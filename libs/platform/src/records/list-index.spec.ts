import { newId } from './fields/id.js';
import { equalFieldsOf, listIndexes, type ListRules } from './list-index.js';

const RULES: ListRules = {
  sorts: ['created', 'name'],
  by: { user: ['created', 'name'], status: ['created'] },
};

describe('The indexes of a list', () => {
  it('serve each sort, behind what narrows it', () => {
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

  it('are taken by what a filter fixes', () => {
    expect(equalFieldsOf(RULES, 'created', { user: newId(), deleted: false })).toEqual(['user']);
    expect(equalFieldsOf(RULES, 'name', { status: 'PAID' })).toEqual([]);
    expect(equalFieldsOf(RULES, 'created', { status: { $in: ['PAID'] }, user: null })).toEqual(['user']);
    expect(equalFieldsOf(undefined, 'created', { user: newId() })).toEqual([]);
  });
});

import { newId } from '@commerce/records';
import { leadingFields } from './leading-fields.js';
import type { ListRules } from '@commerce/records';

const RULES: ListRules = {
  sorts: ['created', 'name'],
  by: { user: ['created', 'name'], status: ['created'] },
};

describe('The leading fields of a filter', () => {
  it('are those that the filter fixes and the longest index for the sort begins with', () => {
    expect(leadingFields(RULES, 'created', { user: newId(), deleted: false })).toEqual(['user']);
    expect(leadingFields(RULES, 'name', { status: 'PAID' })).toEqual([]);
    expect(leadingFields(RULES, 'created', { status: { $in: ['PAID'] }, user: null })).toEqual(['user']);
    expect(leadingFields(undefined, 'created', { user: newId() })).toEqual([]);
  });
});

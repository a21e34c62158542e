import { isDuplicate, isDuplicateOf } from './duplicate.js';

const TAKEN = { name: 'company_1_email_1', fields: ['company', 'email'] };

describe('A duplicate key', () => {
  it('is found by the fields of its index', () => {
    const error = { code: 11000, keyPattern: { company: 1, email: 1 }, message: 'E11000' };
    expect(isDuplicate(error)).toBe(true);
    expect(isDuplicateOf(error, TAKEN)).toBe(true);
    expect(isDuplicateOf(error, { name: 'company_1_email_1', fields: ['company', 'human_id'] })).toBe(false);
  });

  it.each([
    'E11000 duplicate key error collection: shop.users index: company_1_email_1 dup key: { company: 1 }',
    "Duplicate key violation on the requested collection: Index 'company_1_email_1'",
  ])('is found by the name of its index where the server reports nothing else: %s', (message) => {
    expect(isDuplicateOf({ code: 11000, message }, TAKEN)).toBe(true);
    expect(isDuplicateOf({ code: 11000, message }, { name: 'company_1', fields: ['company'] })).toBe(false);
    expect(isDuplicateOf({ code: 11000 }, TAKEN)).toBe(false);
  });
});

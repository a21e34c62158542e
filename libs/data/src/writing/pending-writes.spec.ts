import { mongo } from 'mongoose';

import { refusesBulkWrite } from './pending-writes.js';

describe('A server without bulkWrite', () => {
  it.each([
    [59, 'no such command: bulkWrite'],
    [115, 'Command bulkWrite not supported'],
    [2, 'BulkWrite is not a known command'],
    [2, 'Expected at most two sections.'],
  ])('refuses the command with %d', (code, errmsg) => {
    expect(refusesBulkWrite(new mongo.MongoServerError({ code, errmsg }))).toBe(true);
  });

  it('does not refuse it with other errors', () => {
    expect(refusesBulkWrite(new mongo.MongoServerError({ code: 2, errmsg: 'a bad value' }))).toBe(false);
    expect(refusesBulkWrite(new Error('bulkWrite'))).toBe(false);
  });
});

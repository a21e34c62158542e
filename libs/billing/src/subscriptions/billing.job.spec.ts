import { newId } from '@commerce/platform';

import { testClockRequest, testClocksJob } from '../test-clocks/test-clocks.job.js';
import { BATCH, billingRequest, billingJob, followUpRequest } from './billing.job.js';

const company = newId();

describe('the jobs of billing', () => {
  it('read what they were given', () => {
    const ids = Array.from({ length: BATCH }, () => newId());
    const hint = billingRequest(company, ids);
    const stored: unknown = JSON.parse(JSON.stringify(hint.data));
    expect(billingJob.read(stored)).toEqual({
      company: company.toHexString(),
      ids: ids.map((id) => id.toHexString()),
    });
    const clock = testClockRequest(company, newId());
    expect(testClocksJob.read({ ...clock.data })).toEqual(clock.data);
  });

  it('have names that the queue takes', () => {
    expect(billingRequest(company, [newId()]).id).toMatch(/^[a-z0-9-]+$/);
    expect(testClockRequest(company, newId()).id).toMatch(/^[a-z0-9-]+$/);
    expect(followUpRequest(company, newId()).id).toBeUndefined();
  });

  const id = newId().toHexString();
  it.each([
    null,
    'text',
    [],
    {},
    { company: id },
    { company: id, ids: [] },
    { company: id, ids: [1] },
    { company: id, ids: ['x'] },
    { company: { $ne: null }, ids: [id] },
    { ids: [id] },
    { company: id, ids: Array.from({ length: BATCH + 1 }, () => id) },
    { company: id, clock: { $gt: '' } },
  ])('refuse what is none of theirs: %j', (data) => {
    expect(billingJob.read(data)).toBeNull();
    expect(testClocksJob.read(data)).toBeNull();
  });
});

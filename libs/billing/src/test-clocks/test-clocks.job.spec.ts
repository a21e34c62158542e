import { readJob } from '@commerce/jobs';
import { newId } from '@commerce/records';

import { testClockRequest, testClocksJob } from './test-clocks.job.js';

const company = newId();

describe('the job of test clocks', () => {
  it('reads its own data', () => {
    const clock = testClockRequest(company, newId(), 0);
    const stored: unknown = JSON.parse(JSON.stringify(clock.data));
    expect(readJob(testClocksJob, stored)).toEqual(clock.data);
  });

  it('has a name that the queue takes', () => {
    expect(testClockRequest(company, newId(), 0).id).toMatch(/^[a-z0-9-]+$/);
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
    { company: id, ids: Array.from({ length: 21 }, () => id) },
    { company: id, clock: { $gt: '' } },
  ])('refuses what is none of its: %j', (data) => {
    expect(readJob(testClocksJob, data)).toBeNull();
  });
});

import { newId } from '@commerce/platform';

import { testClockHint, testClocksJob } from '../test-clocks/test-clocks.job.js';
import { BATCH, billingHint, billingJob, followUpHint } from './billing.job.js';

const company = newId();

describe('the jobs of billing', () => {
  it('read what they were given', () => {
    const ids = Array.from({ length: BATCH }, () => newId());
    const hint = billingHint(company, ids);
    const stored: unknown = JSON.parse(JSON.stringify(hint.data));
    expect(billingJob.read(stored)).toEqual({
      company: company.toHexString(),
      ids: ids.map((id) => id.toHexString()),
    });
    const clock = testClockHint(company, newId());
    expect(testClocksJob.read({ ...clock.data })).toEqual(clock.data);
  });

  it('have names that the queue takes', () => {
    expect(billingHint(company, [newId()]).id).toMatch(/^[a-z0-9-]+$/);
    expect(testClockHint(company, newId()).id).toMatch(/^[a-z0-9-]+$/);
    expect(followUpHint(company, newId()).id).toBeUndefined();
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

import { readJob } from '@commerce/jobs';
import { newId } from '@commerce/records';

import { BATCH, billingRequest, billingJob, followUpRequest } from './billing.job.js';

const company = newId();

describe('the job of billing', () => {
  it('reads its own data', () => {
    const ids = Array.from({ length: BATCH }, () => newId());
    const request = billingRequest(company, ids);
    const stored: unknown = JSON.parse(JSON.stringify(request.data));
    expect(stored).toEqual({ company: company.toHexString(), ids: ids.map((id) => id.toHexString()) });
    expect(readJob(billingJob, stored)).toEqual({ company, ids });
  });

  it('has a name that the queue takes', () => {
    expect(billingRequest(company, [newId()]).id).toMatch(/^[a-z0-9-]+$/);
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
  ])('refuses what is none of its: %j', (data) => {
    expect(readJob(billingJob, data)).toBeNull();
  });
});

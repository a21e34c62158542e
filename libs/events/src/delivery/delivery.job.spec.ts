import { readJob } from '@commerce/jobs';
import { newId } from '@commerce/records';

import { deliverJob, deliverRequests } from './delivery.job.js';

describe('the job for deliveries', () => {
  it('is one for each webhook, whose id it holds', () => {
    const [one, other] = [newId(), newId()];
    const requests = deliverRequests([{ webhook: one }, { webhook: other }, { webhook: one }]);
    expect(requests).toEqual([
      { data: { webhook: one }, deduplicationId: one.toHexString() },
      { data: { webhook: other }, deduplicationId: other.toHexString() },
    ]);
    for (const { data } of requests)
      expect(readJob(deliverJob, JSON.parse(JSON.stringify(data)))).toEqual(data);
  });

  const id = newId().toHexString();
  it.each([
    null,
    undefined,
    7,
    'x',
    [],
    {},
    { webhook: 5 },
    { webhook: 'x' },
    { webhook: { $gt: '' } },
    { webhook: [id] },
    { company: id },
  ])('is not read from %j', (data) => expect(readJob(deliverJob, data)).toBeNull());

  it('is read without what does not belong to it', () => {
    const data: unknown = JSON.parse(`{"webhook":"${id}","__proto__":1,"ids":["${id}"]}`);
    expect(JSON.stringify(readJob(deliverJob, data))).toBe(JSON.stringify({ webhook: id }));
  });
});

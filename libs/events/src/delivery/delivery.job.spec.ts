import { newId } from '@commerce/records';

import {
  JOB_SIZE,
  deliverRequests,
  deliverJob,
  redeliverJob,
  dueDeliveriesIn,
  type NewDelivery,
} from './delivery.job.js';

const company = newId();

function made(count: number, webhook = newId()): NewDelivery[] {
  return Array.from({ length: count }, () => ({
    _id: newId(),
    event: newId(),
    webhook,
    endpoint: 'https://e.example/?token=t',
  }));
}

describe('the job for new deliveries', () => {
  it('holds ids only, of one webhook, a bounded number of them', () => {
    const requests = deliverRequests(company, [...made(250), ...made(3)]);
    expect(requests.map(({ data }) => data.ids.length / 2)).toEqual([JOB_SIZE, JOB_SIZE, 50, 3]);
    expect(JSON.stringify(requests)).not.toContain('token');
    for (const { data } of requests) expect(deliverJob.read(JSON.parse(JSON.stringify(data)))).toEqual(data);
  });

  it('names deliveries that nobody has claimed yet', () => {
    const deliveries = made(2);
    const [request] = deliverRequests(company, deliveries);
    const due = dueDeliveriesIn(request!.data);
    expect(due.map(({ id }) => id)).toEqual(deliveries.map(({ _id }) => _id));
    expect(due.map(({ event }) => event)).toEqual(deliveries.map(({ event }) => event));
    expect(due[0]).toMatchObject({ generation: 0, attempt: 0, company: company.toHexString() });
  });

  const id = newId().toHexString();
  const good = { company: id, webhook: id, endpointHash: '0123456789abcdef', ids: [id, id] };
  it.each([
    null,
    undefined,
    7,
    'x',
    [],
    {},
    { ...good, company: undefined },
    { ...good, webhook: 5 },
    { ...good, endpointHash: 'https://e.example' },
    { ...good, ids: [] },
    { ...good, ids: [id] },
    { ...good, ids: [id, 'x'] },
    { ...good, ids: [id, { $ne: null }] },
    { ...good, ids: id },
    { ...good, ids: Array(2 * JOB_SIZE + 2).fill(id) },
    { ...good, ids: Array(40_000).fill(id) },
  ])('is not read from %j', (data) => expect(deliverJob.read(data)).toBeNull());

  it('is read without what does not belong to it', () => {
    const data: unknown = JSON.parse(JSON.stringify({ ...good, more: 1 }).replace('"more"', '"__proto__"'));
    expect(deliverJob.read(data)).toEqual(good);
  });

  it.each([null, {}, { webhook: 'x' }, { webhook: { $gt: '' } }])(
    'to send again is not read from %j',
    (data) => expect(redeliverJob.read(data)).toBeNull(),
  );
});

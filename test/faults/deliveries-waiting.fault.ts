import { newId, parseId, type Id } from '@commerce/records';
import { eventually, idIn, mostResidentMib } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { ServiceProcesses, type ProcessName } from '../processes.js';

/** For the full size: `WAITING=200000 npm test -- test/faults/deliveries-waiting`. */
const WAITING = Number(process.env['WAITING'] ?? 2000);
const AT_ONCE = 2000;
const SECOND = 1000;
const MOST_MIB = { api: 250, worker: 300 } as const;

let service: ServiceProcesses;
beforeAll(async () => {
  service = await ServiceProcesses.start();
}, 90_000);
afterAll(() => service.stop());

function collection(name: string): ReturnType<Connection['collection']> {
  return service.database.collection(name);
}

/** The peak memory of a process, in MiB. */
function mostOf(name: ProcessName): number {
  return mostResidentMib(service.children.get(name)!.pid!);
}

/** Gives the company many more due deliveries, one second apart, copied from the one of this webhook. */
async function owe(webhook: Id | null, count: number): Promise<void> {
  const pattern = await collection('deliveries').findOne({ webhook });
  const event = await collection('events').findOne({ _id: pattern?.['event'] });
  const since = Date.now() - count * SECOND;
  for (let from = 0; from < count; from += AT_ONCE) {
    const ids = Array.from({ length: Math.min(AT_ONCE, count - from) }, () => newId());
    await collection('events').insertMany(ids.map((_id) => ({ ...event, _id, object_id: newId() })));
    const due = (index: number): Date => new Date(since + (from + index) * SECOND);
    const fresh = {
      status: 'PENDING',
      generation: 0,
      attempt: 0,
      recorded: 0,
      attempts: [],
      claimed_by: null,
    };
    await collection('deliveries').insertMany(
      ids.map((one, index) => ({
        ...pattern,
        ...fresh,
        _id: newId(),
        event: one,
        next_attempt: due(index),
        created: due(index),
      })),
    );
  }
}

describe(`${String(WAITING)} deliveries that wait for an endpoint that is down`, () => {
  it('leave memory unchanged, and the deliveries of other endpoints on time', async () => {
    const down = await service.receiver();
    const broken = idIn(
      await service.admin.made('/webhooks', { event_type: 'user.created', endpoint: down.url }),
    );
    const webhook = parseId(broken);
    down.answers(503);
    const user = idIn(await service.admin.made('/users', { name: 'Pattern' }));
    await eventually(
      () => collection('deliveries').countDocuments({ webhook, recorded: 1 }),
      (count) => count === 1,
    );
    await owe(webhook, WAITING - 1);
    const up = await service.listening('user.updated');

    // The worker finds them, tries some, and pauses the endpoint.
    await eventually(
      () => collection('deliveries').countDocuments({ webhook, recorded: { $gt: 0 } }),
      (count) => count > 5,
      60_000,
    );
    for (let each = 0; each < 20; each += 1) {
      await service.admin.changed(`/users/${user}`, { name: `Changed ${String(each)}` });
      await service.admin.read('/operations');
      await service.admin.read(`/webhooks/${broken}/deliveries`, { size: '100' });
    }
    await up.until(() => up.messages.length >= 20, 30_000);

    const waiting = await collection('deliveries').countDocuments({ webhook, status: 'PENDING' });
    expect(waiting).toBe(WAITING);
    const [api, worker] = [mostOf('api'), mostOf('worker')];
    process.stdout.write(
      `${String(WAITING)} deliveries waiting: API ${api.toFixed(0)} MiB, worker ${worker.toFixed(0)} MiB\n`,
    );
    expect(api).toBeLessThan(MOST_MIB.api);
    expect(worker).toBeLessThan(MOST_MIB.worker);
  }, 900_000);
});

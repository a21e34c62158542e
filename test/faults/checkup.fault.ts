import { newId, parseId } from '@commerce/records';
import { eventually, idIn } from '@commerce/testing';

import { ServiceProcesses } from '../processes.js';

/** Enough to keep a worker busy for a while. */
const COUPONS = 20_000;
const BATCH = 2000;

let service: ServiceProcesses;
beforeAll(async () => {
  service = await ServiceProcesses.start();
}, 120_000);
afterAll(() => service.stop());

describe('A worker that is killed in the middle of a checkup', () => {
  it('leaves it to another one, which starts over once', async () => {
    const coupons = service.database.collection('coupons');
    const broken = idIn(await service.admin.made('/coupons', { name: 'Welcome', percent_off: 0.1 }));
    const row = await coupons.findOne({ _id: parseId(broken)! });
    for (let made = 0; made < COUPONS; made += BATCH)
      await coupons.insertMany(Array.from({ length: BATCH }, () => ({ ...row, _id: newId(), name: 'Copy' })));
    await coupons.updateOne({ _id: parseId(broken)! }, { $set: { used_count: 9 } });

    expect((await service.admin.post('/operations/checkup')).status).toBe(202);
    const checkup = (): Promise<any> => service.admin.read('/operations/checkup');
    const running = await eventually(checkup, ({ checked }) => checked > 0, 60_000);
    expect(running.state).toBe('running');
    await service.kill('worker');
    const left = await checkup();
    expect([left.state, left.finished]).toEqual(['running', null]);
    await coupons.deleteMany({ name: 'Copy' });

    await service.run('worker', 'another worker');
    const done = await eventually(checkup, ({ state }) => state === 'done', 90_000);
    expect(done).toMatchObject({ incomplete: null, total: 1, findings: [{ id: broken }] });
    expect(done.requested).toEqual(left.requested);
    expect(Number(done.started.$date)).toBeGreaterThan(Number(left.started.$date));
    expect(await service.database.collection('checkups').findOne({})).toMatchObject({ claims: 2 });
  }, 240_000);
});

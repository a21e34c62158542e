import { setTimeout as pause } from 'node:timers/promises';

import { Database } from '@commerce/data';
import { eventually } from '@commerce/testing';

import { ProxiedWorld } from './proxied-world.js';

const OUTAGES = 4;

let proxied: ProxiedWorld;
beforeAll(async () => {
  proxied = await ProxiedWorld.start({ tellsChanges: false });
}, 60_000);
afterAll(() => proxied.stop(), 120_000);

describe('A database that the driver has to ask, as DocumentDB', () => {
  it('is found again by API and worker, each time it was away', async () => {
    const { proxy, world } = proxied;
    const databases = [world.get(Database), world.worker!.get(Database)];
    const answers = (database: Database): Promise<boolean> =>
      database.ping().then(
        () => true,
        () => false,
      );
    for (let outage = 1; outage <= OUTAGES; outage += 1) {
      for (const fails of [() => proxy.swallowsEverything(), () => proxy.goAway()]) {
        fails();
        await Promise.all(Array.from({ length: 20 }, () => world.admin.get('/plans')));
        await pause(1000);
        proxy.comeBack();
        for (const database of databases) await eventually(() => answers(database), Boolean, 40_000);
      }
    }
  }, 600_000);
});

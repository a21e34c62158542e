import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findMongod, type ToolContext } from '@commerce/stack';
import { eventually } from '@commerce/testing';

import { killPrimary, primaryOf, startReplicaSet, stepDown, uriOf } from './replica-set.js';
import { foundCompany, underLoad } from './under-load.js';

/**
 * `npm run test:replica-set`: the primary of three MongoDB nodes steps down under load, and is killed. No request may
 * fail finally, no acknowledged work may be lost, nothing may be charged twice; without mongod it says so and exits
 * with 0.
 */
export async function tryReplicaSet(context: ToolContext): Promise<number> {
  const { processes, log } = context;
  const command = findMongod();
  if (command === null) {
    log('Skipped', 'there is no mongod on the PATH, and none was downloaded by an earlier run');
    return 0;
  }
  const dataDir = mkdtempSync(join(realpathSync(tmpdir()), 'commerce-replica-set-'));
  processes.watch({ remove: dataDir });
  const set = await startReplicaSet({ command, dataDir, processes, set: 'commerce', nodes: 3 });
  log('MongoDB', `a replica set of three nodes: ${set.hosts}`);
  const changing = (how: (one: typeof set) => Promise<void>) => async (): Promise<void> => {
    const before = await primaryOf(set);
    await how(set);
    const after = await eventually(
      () => primaryOf(set).catch(() => before),
      (primary) => primary !== before,
      60_000,
      { what: 'another primary' },
    );
    log('MongoDB', `the primary was ${before} and is ${after}`);
  };
  const wrong = await underLoad(context, {
    dataDir: join(dataDir, 'service'),
    env: { MONGODB_URI: uriOf(set, 'commerce') },
    prepare: async (stack) => [(await foundCompany(stack, { processes })).api],
    disturbances: [stepDown, killPrimary, stepDown, killPrimary].map(changing),
  });
  for (const line of wrong) log('Wrong', line);
  if (wrong.length === 0) log('Done', 'nothing was lost, nothing was charged twice');
  return wrong.length === 0 ? 0 : 1;
}

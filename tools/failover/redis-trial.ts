import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { StartError } from '#scripts/system/errors.mjs';
import { onPath, type ToolContext } from '@commerce/stack';

import { startRedisCluster, startWatchedRedis, type RedisSet } from './redis-set.js';
import { foundCompany, underLoad } from './under-load.js';

type Start = (dataDir: string, context: ToolContext) => Promise<RedisSet>;

const SETS: readonly [string, Start][] = [
  ['cluster', startRedisCluster],
  ['sentinel', startWatchedRedis],
];

/**
 * `npm run test:redis [-- cluster | sentinel]`: a Redis cluster of three masters with a replica each, then a master with
 * two replicas and three Sentinels. Under load, the master that has the queues is killed, and the next one is stopped
 * and continued. Nothing may be lost or done twice; without redis-server the tool says so and exits with 0.
 */
export async function tryRedis(context: ToolContext): Promise<number> {
  const { log } = context;
  const [, ...names] = context.args;
  const chosen = SETS.filter(([name]) => names.length === 0 || names.includes(name));
  if (chosen.length === 0)
    throw new StartError('Say which Redis: `npm run test:redis -- cluster`, or `-- sentinel`.');
  if (onPath('redis-server') === null || onPath('redis-cli') === null) {
    log('Skipped', 'there is no redis-server with redis-cli on the PATH');
    return 0;
  }
  let wrong = 0;
  for (const one of chosen) wrong += await failOver(one, context);
  if (wrong === 0) log('Done', 'nothing was lost, nothing was done twice');
  return wrong === 0 ? 0 : 1;
}

/** Returns the number of errors. */
async function failOver([name, start]: [string, Start], context: ToolContext): Promise<number> {
  const { processes, log } = context;
  const dataDir = mkdtempSync(join(realpathSync(tmpdir()), `commerce-redis-${name}-`));
  processes.watch({ remove: dataDir });
  const earlier = processes.children.length;
  const set = await start(dataDir, context);
  const wrong = await underLoad(context, {
    dataDir: join(dataDir, 'service'),
    env: set.settings,
    prepare: async (stack) => [(await foundCompany(stack, { processes })).api],
    disturbances: [() => set.kill(), () => set.freeze()],
    eachEventOnce: true,
  });
  for (const line of wrong) log('Wrong', `${name}: ${line}`);
  await processes.end(processes.children.slice(earlier));
  return wrong.length;
}

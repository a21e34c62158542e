import type { ToolContext } from '@commerce/stack';

import { tryCluster } from './cluster-trial.js';
import { tryRedis } from './redis-trial.js';
import { tryReplicaSet } from './replica-set-trial.js';

const TRIALS: Readonly<Record<string, (context: ToolContext) => Promise<number>>> = {
  'replica-set': tryReplicaSet,
  cluster: tryCluster,
  redis: tryRedis,
};

/**
 * Runs the service on servers that fail under load: `npm run test:replica-set`, `npm run test:cluster`, `npm run
 * test:redis`.
 */
export async function main(context: ToolContext): Promise<number> {
  const [name = ''] = context.args;
  const trial = TRIALS[name];
  if (trial === undefined) throw new Error(`name one of ${Object.keys(TRIALS).join(', ')}`);
  return trial(context);
}

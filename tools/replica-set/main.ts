import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { adminCommand, findMongod, type Stack, startStack, type ToolContext } from '@commerce/stack';
import { Client, MerchantEndpoint, eventually, withoutSettings } from '@commerce/testing';

import { check } from './checks.js';
import { Load } from './load.js';
import { primaryOf, startReplicaSet, stepDown } from './replica-set.js';

/** How often the primary steps down, and how long the load runs before and after each time. */
const STEPS = 2;
const BETWEEN_MS = 8000;

/**
 * `npm run test:replica-set`: the primary of three MongoDB nodes steps down under load. No request may fail finally, no
 * acknowledged work may be lost, nothing may be charged twice; without mongod it says so and exits with 0.
 */
export async function main(context: ToolContext): Promise<number> {
  const { processes, log } = context;
  const command = findMongod();
  if (command === null) {
    log('Skipped', 'there is no mongod on the PATH, and none was downloaded by an earlier run');
    return 0;
  }
  const dataDir = mkdtempSync(join(realpathSync(tmpdir()), 'commerce-replica-set-'));
  processes.watch({ remove: dataDir });
  const uri = await startReplicaSet({ command, dataDir, processes, log });
  const wrong = await underLoad(context, { dataDir: join(dataDir, 'service'), uri }, async () => {
    const before = await primaryOf(uri);
    await stepDown(uri);
    const after = await eventually(
      () => primaryOf(uri).catch(() => before),
      (primary) => primary !== before,
      60_000,
      { what: 'another primary' },
    );
    log('MongoDB', `the primary was ${before} and is ${after}`);
  });
  for (const line of wrong) log('Wrong', line);
  if (wrong.length === 0) log('Done', 'nothing was lost, nothing was charged twice');
  return wrong.length === 0 ? 0 : 1;
}

/** Runs the load and repeats the disturbance meanwhile. Returns the errors afterwards. */
async function underLoad(
  { env, processes, log }: ToolContext,
  { dataDir, uri }: { readonly dataDir: string; readonly uri: string },
  disturb: () => Promise<void>,
): Promise<string[]> {
  const stack = await startStack({
    dataDir,
    ephemeral: true,
    env: { ...ownEnv(env), MONGODB_URI: uri },
    owner: processes,
    log,
  });
  const api = await foundCompany(stack, { processes });
  const endpoint = await MerchantEndpoint.start(api);
  try {
    await endpoint.register(['user.created', 'payment.succeeded']);
    await endpoint.untilVerified();
    const load = new Load(api);
    const running = load.run();
    for (let step = 0; step < STEPS; step += 1) {
      await pause(BETWEEN_MS);
      await disturb();
    }
    await pause(BETWEEN_MS);
    load.stop();
    await running;
    const counts = [...load.statuses].map(([status, count]) => `${String(count)} × ${String(status)}`);
    log('Load', `${String(load.subscriptions.size)} subscriptions; replies: ${counts.join(', ')}`);
    return await check({ api, load, endpoint, stack });
  } finally {
    await endpoint.stop();
  }
}

async function foundCompany(stack: Stack, { processes }: Pick<ToolContext, 'processes'>): Promise<Client> {
  const create = ['company:create', '--name', 'Replica set'];
  const context = { processes, env: stack.env };
  const keys = (await adminCommand(context, create, 'The company could not be made')) as Keys;
  return new Client(stack.uris.api, { apiKey: keys.api_key, bearer: keys.service_key });
}

/** The output of `company:create --json`. */
interface Keys {
  readonly api_key: string;
  readonly service_key: string;
}

/** The environment of the run, without the caller's database, queue and card provider. */
function ownEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...withoutSettings(env),
    NODE_ENV: 'development',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_SECOND: '0',
    // Retries a delivery soon, instead of after half a minute, when the primary changed during it.
    WEBHOOK_RETRY_DELAYS: '2s,5s,10s,30s',
  };
}

import { elapsed } from '#scripts/system/report.mjs';
import {
  adminCommand,
  loadDotEnv,
  readDataDir,
  readPorts,
  startStack,
  type Stack,
  type ToolContext,
} from '@commerce/stack';

import { welcome, type Demo } from './welcome.js';

/**
 * `npm start`: the whole service from a bare checkout. Finds or starts MongoDB, Redis and the sandbox card provider,
 * starts API and worker, makes the demo company, and keeps all of it running until Ctrl-C or SIGTERM.
 */
export async function main(context: ToolContext): Promise<number> {
  const { env, processes, log, signals } = context;
  loadDotEnv();
  env['NODE_ENV'] ||= 'development';
  const stack = await startStack({
    dataDir: readDataDir(env),
    ports: readPorts(env),
    owner: processes,
    log,
  });
  const demo = await seedDemo(stack, context);
  if (signals.received() === undefined) {
    process.stdout.write(welcome(stack, demo));
    // All that is measured by this clock began with this process.
    log('Ready', `after ${elapsed(0)}`);
  }
  await signals.stopped;
  await stack.stop();
  return 0;
}

async function seedDemo(stack: Stack, { processes, log }: ToolContext): Promise<Demo | null> {
  const { NODE_ENV, STRIPE_SECRET_KEY: key, STRIPE_TEST_SECRET_KEY: testKey } = stack.env;
  if (NODE_ENV === 'production' || !(testKey ?? key)?.startsWith('sk_test_')) {
    log('Demo', 'none in production or without a test key');
    return null;
  }
  try {
    const failure = 'The demo company could not be made';
    const demo = await adminCommand({ processes, env: stack.env }, ['seed:demo'], failure);
    log('Demo', 'company, product, plan and customer are there');
    return demo as Demo;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/**
 * `npm start`: the whole service from a bare checkout. Installs and builds what is missing or out of date, finds or
 * starts MongoDB, Redis and the sandbox card provider, starts API and worker, makes the demo company, and keeps all of
 * it running until Ctrl-C or SIGTERM.
 */
import './system/node-version.mjs';
import { Processes } from './processes/processes.mjs';
import { stopOnSignals } from './processes/signals.mjs';
import { prepare } from './setup/prepare.mjs';
import { adminCommand } from './stack/admin-command.mjs';
import { startStack } from './stack/stack.mjs';
import { welcome } from './stack/welcome.mjs';
import { createLog, elapsed, runScript } from './system/report.mjs';
import { loadDotEnv, readDataDir, readPorts } from './system/settings.mjs';

/**
 * @import { Stack } from './stack/stack.mjs'
 * @import { Log } from './system/report.mjs'
 */

const STEPS = ['Packages', 'Build', 'MongoDB', 'Redis', 'sandbox', 'api', 'worker', 'Demo'];

await runScript(async () => {
  const since = performance.now();
  loadDotEnv();
  process.env.NODE_ENV ||= 'development';
  const log = createLog(STEPS);
  const processes = new Processes({ log });
  const signals = stopOnSignals(processes, log);
  try {
    const stack = await startStack({
      dataDir: readDataDir(process.env),
      ports: readPorts(process.env),
      owner: processes,
      log,
      prepare,
    });
    const demo = await seedDemo({ stack, processes, log });
    if (!signals.received()) process.stdout.write(welcome(stack, demo));
    if (!signals.received()) log('Ready', `after ${elapsed(since)}`);
    await signals.stopped;
    await stack.stop();
    log('Stop', 'everything that was started has ended');
    return 0;
  } catch (error) {
    // A signal during the start makes whatever was under way fail: that is no error worth reporting.
    if (!signals.received()) throw error;
    await signals.stopped;
    log('Stop', 'everything that was started has ended');
    return 130;
  }
});

/**
 * @param {{stack: Stack, processes: Processes, log: Log}} context
 * @returns {Promise<import('./stack/welcome.mjs').Demo | null>}
 */
async function seedDemo({ stack, processes, log }) {
  const { STRIPE_SECRET_KEY: key, STRIPE_TEST_SECRET_KEY: testKey } = stack.env;
  if (process.env.NODE_ENV === 'production' || !(testKey ?? key)?.startsWith('sk_test_')) {
    log('Demo', 'none in production or without a test key');
    return null;
  }
  try {
    const failure = 'The demo company could not be made';
    const demo = await adminCommand({ processes, env: stack.env }, ['seed:demo'], failure);
    log('Demo', 'company, product, plan and customer are there');
    return demo;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

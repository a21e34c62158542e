/**
 * `npm start`: the whole service from a bare checkout. Installs and builds what is missing or old, finds or
 * starts MongoDB, Redis and the sandbox card provider, starts API and worker, makes the demo company, and
 * keeps all of it running until Ctrl-C or SIGTERM.
 */
import './stack/node-version.mjs';
import { join } from 'node:path';
import { prepare } from './stack/prepare.mjs';
import { Processes } from './stack/processes.mjs';
import { createLog, elapsed, runScript, StartError } from './stack/report.mjs';
import { loadDotEnv, readDataDir, readPorts, ROOT } from './stack/settings.mjs';
import { stopOnSignals } from './stack/signals.mjs';
import { startStack } from './stack/stack.mjs';
import { welcome } from './welcome.mjs';

const STEPS = ['Packages', 'Build', 'MongoDB', 'Redis', 'sandbox', 'api', 'worker', 'Demo'];

await runScript(async () => {
  const since = Date.now();
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
    // A signal during the start makes whatever was under way fail: that is no error worth telling.
    if (!signals.received()) throw error;
    await signals.stopped;
    log('Stop', 'everything that was started has ended');
    return 130;
  }
});

/** @returns {Promise<Record<string, any> | null>} the demo company's ids and keys */
async function seedDemo({ stack, processes, log }) {
  if (process.env.NODE_ENV === 'production' || !stack.env.STRIPE_SECRET_KEY.startsWith('sk_test_')) {
    log('Demo', 'none in production or with a live key');
    return null;
  }
  const cli = join(ROOT, 'dist/apps/cli/src/main.js');
  const lines = [];
  const { code, output } = await processes.run(process.execPath, [cli, 'seed:demo', '--json'], {
    cwd: ROOT,
    env: stack.env,
    onLine: (line) => lines.push(line),
  });
  const start = lines.findIndex((line) => line.startsWith('{'));
  if (code !== 0 || start < 0) {
    await stack.stop();
    throw new StartError(`The demo company could not be made:\n${output}`);
  }
  log('Demo', 'company, product, plan and customer are there');
  return JSON.parse(lines.slice(start).join('\n'));
}

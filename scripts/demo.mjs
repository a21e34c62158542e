/**
 * `npm run demo`: half a year of one subscription, told in one terminal in under a minute. It brings a service of
 * its own, on free ports and with data that is thrown away, so that it runs beside any other. Exits with 1 when
 * anything is not as it must be.
 */
import './stack/node-version.mjs';
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { prepare } from './stack/prepare.mjs';
import { Processes } from './stack/processes.mjs';
import { createLog, runScript, StartError } from './stack/report.mjs';
import { ROOT } from './stack/settings.mjs';
import { stopOnSignals } from './stack/signals.mjs';
import { startStack } from './stack/stack.mjs';

const STEPS = ['Packages', 'Build', 'MongoDB', 'Redis', 'sandbox', 'api', 'worker'];

await runScript(async () => {
  const log = createLog(STEPS);
  const processes = new Processes({ log });
  const signals = stopOnSignals(processes, log);
  try {
    await prepare({ processes, log });
    const stack = await startStack({
      dataDir: mkdtempSync(join(realpathSync(tmpdir()), 'commerce-demo-')),
      ephemeral: true,
      env: ownEnv(process.env),
      owner: processes,
      log,
    });
    return await tell(stack, processes).finally(() => stack.stop());
  } catch (error) {
    if (!signals.received()) throw error;
    await signals.stopped;
    return 130;
  }
});

/** @returns {Promise<number>} the exit code */
async function tell(stack, processes) {
  // Only now are the packages certain to be there.
  const { Receiver } = await import('./demo/receiver.mjs');
  const { createScreen } = await import('./demo/screen.mjs');
  const { Story } = await import('./demo/story.mjs');
  const { summarise } = await import('./demo/summary.mjs');
  const since = Date.now();
  const screen = createScreen();
  const receiver = new Receiver();
  const endpoint = await receiver.start();
  try {
    const keys = await foundCompany(stack, processes);
    screen.title('A subscription on a test clock');
    const told = await new Story({ stack, keys, receiver, endpoint, screen }).play();
    const seconds = (Date.now() - since) / 1000;
    return (await summarise({ screen, stack, told, receiver, seconds })) ? 0 : 1;
  } finally {
    await receiver.stop();
  }
}

/** The demo must touch nothing that is there: no database, no queue and no card provider of the caller's. */
function ownEnv(env) {
  const foreign =
    /^(MONGODB_URI|REDIS_URL|DATA_DIR|.*PORT|STRIPE_.*|WEBHOOK_.*|RATE_LIMIT_.*|SWEEP_.*|SANDBOX_.*)$/;
  const kept = Object.entries(env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(kept), NODE_ENV: 'development', LOG_LEVEL: 'warn' };
}

async function foundCompany(stack, processes) {
  const cli = join(ROOT, 'dist/apps/cli/src/main.js');
  const lines = [];
  const { code, output } = await processes.run(
    process.execPath,
    [cli, 'company:create', '--name', 'Roastery', '--json'],
    { cwd: ROOT, env: stack.env, onLine: (line) => lines.push(line) },
  );
  const start = lines.findIndex((line) => line.startsWith('{'));
  if (code !== 0 || start < 0) throw new StartError(`The company could not be made:\n${output}`);
  return JSON.parse(lines.slice(start).join('\n'));
}

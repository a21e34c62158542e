/**
 * `npm test [-- jest arguments]`: import rules and all tests, on a MongoDB and a Redis of its own (or those of
 * MONGODB_URI and REDIS_URL), never those of a running `npm start`. The last line says `N passed, N failed`.
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

const STEPS = ['Packages', 'Build', 'Import rules', 'MongoDB', 'Redis', 'Tests'];

await runScript(async () => {
  const log = createLog(STEPS);
  const processes = new Processes({ log });
  const signals = stopOnSignals(processes, log);
  const args = process.argv.slice(2);
  try {
    await prepare({ processes, log });
    // A run of chosen tests is for a quick answer; the rules are held by the full one.
    if (args.length === 0) await checkImports({ processes, log });
    const stack = await startStack({
      dataDir: mkdtempSync(join(realpathSync(tmpdir()), 'commerce-test-')),
      ephemeral: true,
      processes: [],
      env: testEnv(process.env),
      owner: processes,
      log,
    });
    return await runJest({ args, env: stack.env, processes, log }).finally(() => stack.stop());
  } catch (error) {
    if (signals.received()) return 130;
    process.stderr.write(`\n${error instanceof StartError ? error.message : error.stack}\n`);
    process.stdout.write('\n0 passed, 1 failed\n');
    return 1;
  }
});

/**
 * Tests decide for themselves what they set: of the service's settings only the databases count. A
 * STRIPE_SECRET_KEY in the developer's shell must never be charged by a test.
 */
function testEnv(env) {
  const decided = /^(.*PORT|DATA_DIR|STRIPE_.*|WEBHOOK_.*|RATE_LIMIT_.*|AUTH_FAILURES_.*|SWEEP_.*)$/;
  const kept = Object.entries(env).filter(([name]) => !decided.test(name));
  return { ...Object.fromEntries(kept), NODE_ENV: 'test', LOG_LEVEL: env.LOG_LEVEL || 'warn' };
}

async function checkImports({ processes, log }) {
  log('Import rules', 'dependency-cruiser over apps and libs');
  const tool = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [tool, 'apps', 'libs', '--config', '.dependency-cruiser.cjs'];
  const { code } = await processes.run(process.execPath, args, { cwd: ROOT });
  if (code !== 0) throw new StartError('An import goes the wrong way; see above.');
}

async function runJest({ args, env, processes, log }) {
  log('Tests', args.length > 0 ? `jest ${args.join(' ')}` : 'all of them');
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  // Jest ignores a testTimeout that stands in one of several projects.
  const all = [...flags, jest, '--testTimeout=60000', ...args];
  const { code } = await processes.run(process.execPath, all, { cwd: ROOT, env });
  return code;
}

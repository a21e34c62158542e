/**
 * `npm test [-- jest arguments]`: import rules and all tests, on a MongoDB and a Redis of its own (or those of
 * MONGODB_URI and REDIS_URL), never those of a running `npm start`. The last line says `N passed, N failed`.
 */
import './system/node-version.mjs';
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Processes } from './processes/processes.mjs';
import { stopOnSignals } from './processes/signals.mjs';
import { prepare } from './setup/prepare.mjs';
import { startStack } from './stack/stack.mjs';
import { StartError } from './system/errors.mjs';
import { createLog, explain, runScript } from './system/report.mjs';
import { ROOT } from './system/settings.mjs';

/** @import { Log } from './system/report.mjs' */

const STEPS = ['Packages', 'Build', 'Import rules', 'MongoDB', 'Redis', 'Tests'];

await runScript(async () => {
  const log = createLog(STEPS);
  const processes = new Processes({ log });
  const signals = stopOnSignals(processes, log);
  const args = process.argv.slice(2);
  try {
    await prepare({ processes, log });
    // A run of chosen tests is for a quick answer; the full one checks the rules.
    if (args.length === 0) await checkImports({ processes, log });
    const stack = await startStack({
      dataDir: mkdtempSync(join(realpathSync(tmpdir()), 'commerce-test-')),
      ephemeral: true,
      processes: [],
      env: testEnv(process.env),
      owner: processes,
      log,
    });
    return await runJest(args, { env: stack.env, processes, log }).finally(() => stack.stop());
  } catch (error) {
    if (signals.received()) return 130;
    process.stderr.write(`\n${explain(error)}\n`);
    process.stdout.write('\n0 passed, 1 failed\n');
    return 1;
  }
});

/**
 * Tests make their own settings, except for the databases. A STRIPE_SECRET_KEY in the developer's shell must never be
 * charged by a test.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
function testEnv(env) {
  const decided = /^(.*PORT|DATA_DIR|STRIPE_.*|WEBHOOK_.*|RATE_LIMIT_.*|AUTH_FAILURES_.*|SWEEP_.*)$/;
  const kept = Object.entries(env).filter(([name]) => !decided.test(name));
  return { ...Object.fromEntries(kept), NODE_ENV: 'test', LOG_LEVEL: env.LOG_LEVEL || 'warn' };
}

/** @param {{processes: Processes, log: Log}} context */
async function checkImports({ processes, log }) {
  log('Import rules', 'npm run imports');
  const { code } = await processes.run('npm', ['run', '--silent', 'imports'], { cwd: ROOT });
  if (code !== 0) throw new StartError('An import goes the wrong way; see above.');
}

/**
 * @param {string[]} args
 * @param {{env: NodeJS.ProcessEnv, processes: Processes, log: Log}} context
 * @returns {Promise<number>} the exit code
 */
async function runJest(args, { env, processes, log }) {
  log('Tests', args.length > 0 ? `jest ${args.join(' ')}` : 'all of them');
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  // Jest ignores a testTimeout that is set in one of several projects.
  const all = [...flags, jest, '--testTimeout=60000', ...args];
  const { code } = await processes.run(process.execPath, all, { cwd: ROOT, env });
  return code;
}

/**
 * `npm test [-- jest arguments]`: import rules and all tests, on a MongoDB and a Redis of its own (or those of
 * MONGODB_URI and REDIS_URL), never those of a running `npm start`. The last line says `N passed, N failed`.
 *
 * A full run notes every command that the tests have MongoDB execute, afterwards has it explain how it serves each, and
 * fails where one is served badly: see test/explain. `npm test -- --explain <jest arguments>` does so for some of the
 * tests.
 */
import './system/node-version.mjs';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Processes } from './processes/processes.mjs';
import { stopOnSignals } from './processes/signals.mjs';
import { prepare } from './setup/prepare.mjs';
import { startStack } from './stack/stack.mjs';
import { StartError } from './system/errors.mjs';
import { createLog, explain, runScript } from './system/report.mjs';
import { ROOT } from './system/settings.mjs';

/** @import { Log } from './system/report.mjs' */

const STEPS = ['Packages', 'Build', 'Import rules', 'MongoDB', 'Redis', 'Tests', 'Commands'];

await runScript(async () => {
  const log = createLog(STEPS);
  const processes = new Processes({ log });
  const signals = stopOnSignals(processes, log);
  const given = process.argv.slice(2);
  const args = given.filter((arg) => arg !== '--explain');
  const explains = args.length === 0 || given.length > args.length;
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
    const run = explains ? runAndExplain : runJest;
    return await run(args, { env: stack.env, processes, log }).finally(() => stack.stop());
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
 * Runs the tests while their commands are noted, then explains those.
 *
 * @param {string[]} args
 * @param {{env: NodeJS.ProcessEnv, processes: Processes, log: Log}} context
 * @returns {Promise<number>} the exit code
 */
async function runAndExplain(args, { env, processes, log }) {
  const dir = mkdtempSync(join(realpathSync(tmpdir()), 'commerce-commands-'));
  const counts = join(dir, 'counts.json');
  const listener = pathToFileURL(join(ROOT, 'scripts/jest/listen-in-processes.mjs')).href;
  const NODE_OPTIONS = [env.NODE_OPTIONS, `--import=${listener}`].filter(Boolean).join(' ');
  const noting = { ...env, COMMANDS_DIR: dir, CLOSING_COUNTS: counts, NODE_OPTIONS };
  try {
    const code = await runJest(args, { env: noting, processes, log });
    const tests = countsIn(counts);
    log('Commands', 'how MongoDB serves what the tests asked for');
    const explaining = { ...env, EXPLAIN_COMMANDS: dir, CLOSING_COUNTS: counts };
    const explained = await jest(['--selectProjects=explain'], { env: explaining, processes });
    const plans = countsIn(counts);
    const number = existsSync(join(dir, 'explained')) ? readFileSync(join(dir, 'explained'), 'utf8') : '0';
    const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : '';
    const complaints =
      plans.failed === 0 ? '' : `; those of ${plans.failed} collections have complaints, see above`;
    process.stdout.write(`\n${number} kinds of commands explained${complaints}\n`);
    process.stdout.write(`${tests.passed} passed, ${tests.failed + plans.failed} failed${skipped}\n`);
    return code === 0 ? explained : code;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * @param {string} file
 * @returns {{passed: number, failed: number, skipped: number}}
 */
function countsIn(file) {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const counts = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return counts;
}

/**
 * @param {string[]} args
 * @param {{env: NodeJS.ProcessEnv, processes: Processes, log: Log}} context
 * @returns {Promise<number>} the exit code
 */
async function runJest(args, { env, processes, log }) {
  log('Tests', args.length > 0 ? `jest ${args.join(' ')}` : 'all of them');
  return jest(args, { env, processes });
}

/**
 * @param {string[]} args
 * @param {{env: NodeJS.ProcessEnv, processes: Processes}} context
 * @returns {Promise<number>} the exit code
 */
async function jest(args, { env, processes }) {
  const program = join(ROOT, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  // Jest ignores a testTimeout that is set in one of several projects.
  const all = [...flags, program, '--testTimeout=60000', ...args];
  const { code } = await processes.run(process.execPath, all, { cwd: ROOT, env });
  return code;
}

import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { StartError } from '#scripts/system/errors.mjs';
import { explain } from '#scripts/system/report.mjs';
import { ROOT } from '#scripts/system/settings.mjs';
import { startStack, type ToolContext } from '@commerce/stack';
import { withoutSettings } from '@commerce/testing';

type RunContext = Pick<ToolContext, 'args' | 'env' | 'processes' | 'log'>;

/**
 * `npm test [-- jest arguments]`: import rules and all tests, on a MongoDB and a Redis of its own (or those of
 * MONGODB_URI and REDIS_URL), never those of a running `npm start`. The last line says `N passed, N failed`.
 *
 * A full run notes every command that the tests have MongoDB execute, afterwards has it explain how it serves each, and
 * fails where one is served badly: see test/explain. `npm test -- --explain <jest arguments>` does so for some of the
 * tests.
 */
export async function main({ args: given, env, processes, log, signals }: ToolContext): Promise<number> {
  const args = given.filter((arg) => arg !== '--explain');
  const explains = args.length === 0 || given.length > args.length;
  try {
    // A run of chosen tests is for a quick answer; the full one checks the rules.
    if (args.length === 0) await checkImports({ processes, log });
    const stack = await startStack({
      dataDir: mkdtempSync(join(realpathSync(tmpdir()), 'commerce-test-')),
      ephemeral: true,
      processes: [],
      env: testEnv(env),
      owner: processes,
      log,
    });
    log('Tests', args.length > 0 ? `jest ${args.join(' ')}` : 'all of them');
    const context = { args, env: stack.env, processes, log };
    try {
      return await (explains ? jestAndExplain(context) : jest(context));
    } finally {
      await stack.stop();
    }
  } catch (error) {
    if (signals.received() !== undefined) throw error;
    process.stderr.write(`\n${explain(error)}\n`);
    process.stdout.write('\n0 passed, 1 failed\n');
    return 1;
  }
}

/**
 * Tests make their own settings, except for the databases. A STRIPE_SECRET_KEY in the developer's shell must never be
 * charged by a test.
 */
function testEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { MONGODB_URI, REDIS_URL, LOG_LEVEL } = env;
  return {
    ...withoutSettings(env),
    MONGODB_URI,
    REDIS_URL,
    NODE_ENV: 'test',
    LOG_LEVEL: LOG_LEVEL || 'warn',
  };
}

async function checkImports({ processes, log }: Pick<RunContext, 'processes' | 'log'>): Promise<void> {
  log('Import rules', 'npm run imports');
  const { code } = await processes.run('npm', ['run', '--silent', 'imports'], { cwd: ROOT });
  if (code !== 0) throw new StartError('An import goes the wrong way; see above.');
}

/** Runs the tests while their commands are noted, then explains those. Resolves to the exit code. */
async function jestAndExplain({ args, env, processes, log }: RunContext): Promise<number> {
  const dir = mkdtempSync(join(realpathSync(tmpdir()), 'commerce-commands-'));
  const counts = join(dir, 'counts.json');
  const listener = pathToFileURL(join(ROOT, 'scripts/jest/listen-in-processes.mjs')).href;
  const NODE_OPTIONS = [env['NODE_OPTIONS'], `--import=${listener}`].filter(Boolean).join(' ');
  try {
    const noting = { ...env, COMMANDS_DIR: dir, CLOSING_COUNTS: counts, NODE_OPTIONS };
    const code = await jest({ args, env: noting, processes });
    const tests = countsIn(counts);
    log('Commands', 'how MongoDB serves what the tests asked for');
    const explaining = { ...env, EXPLAIN_COMMANDS: dir, CLOSING_COUNTS: counts };
    const explained = await jest({ args: ['--selectProjects=explain'], env: explaining, processes });
    const plans = countsIn(counts);
    const number = existsSync(join(dir, 'explained')) ? readFileSync(join(dir, 'explained'), 'utf8') : '0';
    const complaints =
      plans.failed === 0 ? '' : `; those of ${String(plans.failed)} collections have complaints, see above`;
    const skipped = tests.skipped > 0 ? `, ${String(tests.skipped)} skipped` : '';
    const failed = String(tests.failed + plans.failed);
    process.stdout.write(`\n${number} kinds of commands explained${complaints}\n`);
    process.stdout.write(`${String(tests.passed)} passed, ${failed} failed${skipped}\n`);
    return code === 0 ? explained : code;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

type Counts = Readonly<Record<'passed' | 'failed' | 'skipped', number>>;

function countsIn(file: string): Counts {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const counts = JSON.parse(readFileSync(file, 'utf8')) as Counts;
  rmSync(file);
  return counts;
}

/** Resolves to the exit code. */
async function jest({ args, env, processes }: Omit<RunContext, 'log'>): Promise<number> {
  const program = join(ROOT, 'node_modules/jest/bin/jest.js');
  // Jest ignores a testTimeout that is set in one of several projects.
  const all = [program, '--testTimeout=60000', ...args];
  return (await processes.run(process.execPath, all, { cwd: ROOT, env })).code;
}

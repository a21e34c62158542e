/**
 * `npm run test:node -- 26`: type checks, unit tests and some service tests under another version of Node, which the
 * npm package `node` brings. `npm run test:node -- oldest` takes the oldest that package.json allows.
 */
import './system/node-version.mjs';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from './system/errors.mjs';
import { runScript } from './system/report.mjs';
import { ROOT } from './system/settings.mjs';

/** One of each kind: callers, writing under a key, billing over time, charges, a process that is killed. */
const SMOKE = [
  ...['test/api/authentication', 'test/api/idempotency', 'test/api/images-variants', 'test/flows/renewals'],
  ...['test/contract/stripe-charges', 'test/faults/orders', 'test/cli/commands'],
];

await runScript(async () => {
  const [wanted = '', ...files] = process.argv.slice(2);
  const version = wanted === 'oldest' ? oldest() : wanted;
  if (!/^\d+(\.\d+){0,2}$/.test(version))
    throw new StartError('Say which version of Node: `npm run test:node -- 26`, or `-- oldest`.');
  const node = nodeOf(version);
  process.stdout.write(`Node ${run(node, ['--version'], 'pipe').output.trim()}\n`);
  const jest = 'node_modules/jest/bin/jest.js';
  const steps = [
    ['node_modules/typescript/bin/tsc', '--noEmit'],
    ['--experimental-vm-modules', jest, '--selectProjects', 'unit'],
    ['scripts/test.mjs', ...(files.length > 0 ? files : SMOKE)],
  ];
  for (const args of steps) {
    process.stdout.write(`\n=== node ${args.join(' ')}\n`);
    // What a script starts by the name `node` is this version as well.
    const { ok } = run(node, args, 'inherit', dirname(node));
    if (!ok) return 1;
  }
  return 0;
});

/** The oldest version that package.json allows. */
function oldest() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return /\d+(\.\d+)*/.exec(String(engines.node))?.[0] ?? '';
}

/**
 * The path of that Node, installed in npm's cache.
 *
 * @param {string} version
 */
function nodeOf(version) {
  const print = ['-p', 'process.execPath'];
  // The package fetches the program by its install script, which .npmrc keeps from running.
  const options = ['--yes', '--ignore-scripts=false', '--package', `node@${version}`];
  const { ok, output } = run('npx', [...options, 'node', ...print], 'pipe');
  const path = output.trim().split('\n').at(-1) ?? '';
  if (!ok || path === '')
    throw new StartError(`Node ${version} could not be had by the npm package \`node\`.`);
  return path;
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {'inherit' | 'pipe'} output
 * @param {string} [first] a folder before all others of the PATH
 */
function run(command, args, output, first) {
  const PATH = first === undefined ? process.env.PATH : `${first}:${process.env.PATH}`;
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = ['inherit', output, 'inherit'];
  const { status, stdout } = spawnSync(command, args, {
    cwd: ROOT,
    stdio,
    encoding: 'utf8',
    env: { ...process.env, PATH },
  });
  return { ok: status === 0, output: stdout ?? '' };
}

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { StartError } from '#scripts/system/errors.mjs';
import { ROOT } from '#scripts/system/settings.mjs';
import type { ToolContext } from '@commerce/stack';

/** One of each kind: callers, writing under a key, billing over time, charges, a process that is killed. */
const SMOKE = [
  ...['test/api/authentication', 'test/api/idempotency', 'test/api/images-variants', 'test/flows/renewals'],
  ...['test/contract/stripe-charges', 'test/faults/orders', 'test/cli/commands'],
];

/**
 * `npm run test:node -- 26`: unit tests and some service tests under another version of Node, which the npm package
 * `node` brings. `npm run test:node -- oldest` takes the oldest that package.json allows.
 */
export async function main(context: ToolContext): Promise<number> {
  const [wanted = '', ...files] = context.args;
  const version = wanted === 'oldest' ? oldest() : wanted;
  if (!/^\d+(\.\d+){0,2}$/.test(version))
    throw new StartError('Say which version of Node: `npm run test:node -- 26`, or `-- oldest`.');
  const node = await nodeOf(version, context);
  // A script that starts `node` starts this version as well.
  const env = { ...context.env, PATH: `${dirname(node)}:${context.env['PATH'] ?? ''}` };
  const steps = [
    ['--version'],
    ['node_modules/jest/bin/jest.js', '--selectProjects', 'unit'],
    ['scripts/run.mjs', 'test', ...(files.length > 0 ? files : SMOKE)],
  ];
  for (const args of steps) {
    process.stdout.write(`\n=== node ${args.join(' ')}\n`);
    const { code } = await context.processes.run(node, args, { cwd: ROOT, env });
    if (code !== 0) return code;
  }
  return 0;
}

/** The oldest version that package.json allows. */
function oldest(): string {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  return /\d+(\.\d+)*/.exec(engines.node)?.[0] ?? '';
}

/** The path of that Node, installed in npm's cache. */
async function nodeOf(version: string, { processes }: ToolContext): Promise<string> {
  // The package fetches the program by its install script, which .npmrc keeps from running.
  const options = ['--yes', '--ignore-scripts=false', '--package', `node@${version}`];
  const args = [...options, 'node', '-p', 'process.execPath'];
  const { code, output } = await processes.run('npx', args, { cwd: ROOT, onLine: () => undefined });
  const path = output.trim().split('\n').at(-1) ?? '';
  if (code !== 0 || path === '')
    throw new StartError(`The npm package \`node\` does not bring Node ${version}:\n${output}`);
  return path;
}

/**
 * `npm start`, `npm test`, `npm run cli`, `npm run demo` and the others: installs and builds what is missing or out of
 * date, then runs the compiled tool in this process. The tools themselves are TypeScript, in tools/.
 */
import './system/node-version.mjs';
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './setup/build.mjs';
import { ensurePackages } from './setup/packages.mjs';
import { StartError } from './system/errors.mjs';
import { createLog, patientLog, runScript } from './system/report.mjs';
import { COMPILED, ROOT } from './system/settings.mjs';

const APPS = ['Packages', 'Build', 'MongoDB', 'Redis', 'sandbox', 'api', 'worker'];

/** The steps that each tool announces; null: the tool speaks for itself, and this script only when it takes long. */
const STEPS = new Map([
  ['start', [...APPS, 'Demo']],
  ['test', ['Packages', 'Build', 'Import rules', 'MongoDB', 'Redis', 'Tests', 'Commands']],
  ['test-node', []],
  ['cli', null],
  ['demo', APPS],
  ['listen', null],
  ['audit', null],
  ['bench', []],
  ['failover', APPS],
  ['containers', ['Packages', 'Build', 'Images', 'Image', 'Start', 'Check', 'Stop', 'Remove']],
  ['soak', APPS],
  ['scale', APPS.with(-1, 'Subscriptions').concat('worker')],
  ['fuzz', [...APPS, 'Fuzzing']],
]);

// For the processes that this one starts, and for itself.
process.env.NODE_COMPILE_CACHE ??= COMPILED;
/** @type {any} */ (module).enableCompileCache?.(process.env.NODE_COMPILE_CACHE);

await runScript(async () => {
  const [, , name = '', ...args] = process.argv;
  if (!STEPS.has(name)) throw new StartError(`There is no tool "${name}": ${[...STEPS.keys()].join(', ')}.`);
  const steps = STEPS.get(name);
  const log = steps ? createLog(steps) : patientLog(createLog([], process.stderr));
  // The line that a CI reads comes last, also where nothing could be tested.
  const none = () => process.stdout.write('\n0 passed, 1 failed\n');
  if (name === 'test') process.once('exit', none);
  await ensurePackages(log);
  await ensureBuilt(log);
  process.off('exit', none);
  const { runTool } = await compiled('libs/stack/src/run-tool.js');
  const { main } = await compiled(`tools/${name}/main.js`);
  return runTool(main, { args, log });
});

/**
 * @param {string} file
 * @returns {Promise<any>}
 */
function compiled(file) {
  return import(pathToFileURL(join(ROOT, 'dist', file)).href);
}

/**
 * `npm run demo`, `npm run listen`, `npm run bench`, `npm run soak`, `npm run scale`, `npm run fuzz`,
 * `npm run test:replica-set`, `npm run test:containers`: makes sure of packages and build, then runs the compiled tool
 * in this process. The tools themselves are TypeScript, in tools/.
 */
import './system/node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Processes } from './processes/processes.mjs';
import { stopOnSignals } from './processes/signals.mjs';
import { prepare } from './setup/prepare.mjs';
import { StartError } from './system/errors.mjs';
import { createLog, patientLog, runScript, silent } from './system/report.mjs';
import { ROOT } from './system/settings.mjs';

/**
 * @import { Signals } from './processes/signals.mjs'
 * @import { Log } from './system/report.mjs'
 *
 * @typedef {object} ToolContext what a tool's `main` is given
 * @property {readonly string[]} args of the command line
 * @property {NodeJS.ProcessEnv} env
 * @property {Processes} processes who starts the children; all are ended after the tool
 * @property {Log} log
 * @property {Signals} signals
 *
 * @typedef {{main: (context: ToolContext) => Promise<number>}} Tool `main` resolves to the exit code
 */

/** The steps that each tool announces; null: the tool speaks for itself, and this script only when it takes long. */
const STEPS = new Map([
  ['demo', ['Packages', 'Build', 'MongoDB', 'Redis', 'sandbox', 'api', 'worker']],
  ['listen', null],
  ['bench', []],
  ['replica-set', ['Packages', 'Build', 'MongoDB', 'Redis', 'sandbox', 'api', 'worker']],
  ['containers', ['Packages', 'Build', 'Images', 'Image', 'Start', 'Check', 'Stop', 'Remove']],
  ['soak', ['Packages', 'Build', 'MongoDB', 'Redis', 'sandbox', 'api', 'worker']],
  ['scale', ['Packages', 'Build', 'MongoDB', 'Redis', 'sandbox', 'api', 'Subscriptions', 'worker']],
  ['fuzz', ['Packages', 'Build', 'MongoDB', 'Redis', 'sandbox', 'api', 'worker', 'Fuzzing']],
]);

await runScript(async () => {
  const [, , name = '', ...args] = process.argv;
  if (!STEPS.has(name)) throw new StartError(`There is no tool "${name}": ${[...STEPS.keys()].join(', ')}.`);
  const steps = STEPS.get(name) ?? null;
  const log = steps ? createLog(steps) : silent;
  const patient = steps ? null : patientLog(createLog([], process.stderr));
  const processes = new Processes({ log });
  const signals = stopOnSignals(processes, log);
  try {
    await prepare({ processes, log: patient ?? log });
    patient?.hush();
    /** @type {Tool} */
    const { main } = await import(pathToFileURL(join(ROOT, `dist/tools/${name}/main.js`)).href);
    return await main({ args, env: process.env, processes, log, signals });
  } catch (error) {
    if (!signals.received()) throw error;
    await signals.stopped;
    return 130;
  } finally {
    await processes.stop();
  }
});

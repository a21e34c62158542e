/**
 * `npm run cli -- <command>`: an admin command against the service that runs on this checkout's data or, when none
 * runs, against its databases, which are then started for as long as the command takes. This script reports to stderr:
 * stdout belongs to the command.
 */
import './system/node-version.mjs';
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Processes } from './processes/processes.mjs';
import { stopOnSignals } from './processes/signals.mjs';
import { prepare } from './setup/prepare.mjs';
import { runningStack } from './stack/record.mjs';
import { startStack } from './stack/stack.mjs';
import { createLog, patientLog, runScript, silent } from './system/report.mjs';
import { loadDotEnv, mainOf, readDataDir } from './system/settings.mjs';

await runScript(async () => {
  loadDotEnv();
  const log = patientLog(createLog([], process.stderr));
  const processes = new Processes({ log });
  const signals = stopOnSignals(processes, silent);
  try {
    await prepare({ processes, log });
    const running = runningEnv();
    if (running) log.hush();
    if (running) return await command({ ...running, ...process.env });
    const stack = await startStack({
      dataDir: readDataDir(process.env),
      processes: ['sandbox'],
      owner: processes,
      log,
    });
    log.hush();
    return await command(stack.env).finally(() => stack.stop());
  } catch (error) {
    if (!signals.received()) throw error;
    return 130;
  } finally {
    await processes.stop();
  }
});

/** What the running `npm start` on this data folder uses, unless the caller names databases of their own. */
function runningEnv() {
  if (process.env.MONGODB_URI && process.env.REDIS_URL) return {};
  return runningStack(readDataDir(process.env))?.env ?? null;
}

/**
 * The terminal is passed on as it is: some commands ask before they destroy something.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} the exit code
 */
function command(env) {
  const child = spawn(process.execPath, [mainOf('cli'), ...process.argv.slice(2)], { stdio: 'inherit', env });
  // Ctrl-C reaches it through the terminal; a SIGTERM to this script does not.
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * `npm run cli -- <command>`: an admin command against the service that runs on this checkout's data, or, when
 * none runs, against its databases, which are then started for as long as the command takes.
 * What this script says goes to stderr: stdout belongs to the command.
 */
import './stack/node-version.mjs';
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { prepare } from './stack/prepare.mjs';
import { Processes } from './stack/processes.mjs';
import { isRunning, readRecord } from './stack/record.mjs';
import { createLog, patientLog, runScript } from './stack/report.mjs';
import { loadDotEnv, readDataDir, ROOT } from './stack/settings.mjs';
import { stopOnSignals } from './stack/signals.mjs';
import { startStack } from './stack/stack.mjs';

await runScript(async () => {
  loadDotEnv();
  const log = patientLog(createLog([], process.stderr));
  const processes = new Processes({ log });
  const signals = stopOnSignals(processes, () => undefined);
  try {
    await prepare({ processes, log });
    const running = runningStack();
    if (running) log.hush();
    if (running) return await command({ ...running.env, ...process.env });
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

/** The stack that `npm start` runs on this data folder, unless the caller names databases of its own. */
function runningStack() {
  if (process.env.MONGODB_URI && process.env.REDIS_URL) return { env: {} };
  const record = readRecord(readDataDir(process.env));
  return record && isRunning(record.owner) ? record : null;
}

/** The terminal is handed on as it is: some commands ask before they destroy. */
function command(env) {
  const cli = join(ROOT, 'dist/apps/cli/src/main.js');
  const child = spawn(process.execPath, [cli, ...process.argv.slice(2)], { stdio: 'inherit', env });
  // Ctrl-C reaches it through the terminal; a SIGTERM to this script does not.
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

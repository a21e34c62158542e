import { spawn } from 'node:child_process';
import { constants } from 'node:os';

import { loadDotEnv, mainOf, readDataDir, runningStack, startStack, type ToolContext } from '@commerce/stack';

/**
 * `npm run cli -- <command>`: an admin command against the service that runs on this checkout's data or, when none
 * runs, against its databases, which are then started for as long as the command takes. Stdout belongs to the command.
 */
export async function main({ args, env, processes, log }: ToolContext): Promise<number> {
  loadDotEnv();
  const dataDir = readDataDir(env);
  // The caller may name databases of their own.
  const running = env['MONGODB_URI'] && env['REDIS_URL'] ? {} : runningStack(dataDir)?.env;
  if (running) {
    log.hush?.();
    return command(args, { ...running, ...env });
  }
  const stack = await startStack({ dataDir, processes: ['sandbox'], owner: processes, log });
  log.hush?.();
  try {
    return await command(args, stack.env);
  } finally {
    await stack.stop();
  }
}

/** The terminal is passed on unchanged: some commands ask before they destroy something. Resolves to the exit code. */
function command(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [mainOf('cli'), ...args], { stdio: 'inherit', env });
  // Ctrl-C reaches it through the terminal; a SIGTERM to this script does not.
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

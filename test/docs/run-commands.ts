import { spawn, type ChildProcess } from 'node:child_process';

/** The time limit for the commands of a page. */
const PATIENCE_MS = 45_000;

/** The folder and environment of the commands, and the output to wait for. */
export interface Run {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly awaited: string;
}

/**
 * Runs shell commands until they have printed the expected output or have ended, and returns their output. Then ends
 * every process that they started.
 */
export async function runCommands(commands: string, { folder, env, awaited }: Run): Promise<string> {
  const child = spawn('bash', ['-c', commands], {
    cwd: folder,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const complete = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output === awaited) resolve();
    });
  });
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const timeout = AbortSignal.timeout(PATIENCE_MS);
  const late = new Promise<void>((resolve) => timeout.addEventListener('abort', () => resolve()));
  await Promise.race([closed, complete, late]);
  endGroup(child);
  await closed;
  return output === awaited ? output : output + errors;
}

/** Ends a process and all that it has started. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes have already ended by themselves.
  }
}

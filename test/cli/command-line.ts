import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { mainOf } from '@commerce/stack';

import { runCommand } from '../../apps/cli/src/command-line.js';

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let ended: Promise<unknown> = Promise.resolve();

/**
 * Runs a command of the CLI in this process, which spares the start of one: against the databases in this test's
 * environment, and one command at a time, as they share its output and its exit code.
 */
export function cli(words: readonly string[]): Promise<Said> {
  const said = ended.then(() => saidBy(words));
  ended = said.catch(() => undefined);
  return said;
}

async function saidBy(words: readonly string[]): Promise<Said> {
  const [out, error] = [printed(process.stdout), printed(process.stderr)];
  const { isTTY } = process.stdin;
  // No command may wait for an answer at the terminal of the tests.
  process.stdin.isTTY = false;
  try {
    await runCommand(words);
  } finally {
    process.stdin.isTTY = isTTY;
    out.end();
    error.end();
  }
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return { code, stdout: out.text(), stderr: error.text() };
}

/** Keeps what is printed from now until `end`. */
function printed(stream: NodeJS.WriteStream): { end: () => void; text: () => string } {
  const chunks: string[] = [];
  const write = stream.write.bind(stream);
  stream.write = (chunk: string | Uint8Array): boolean => {
    chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    return true;
  };
  return {
    end: () => {
      stream.write = write;
    },
    text: () => chunks.join(''),
  };
}

/** Runs a command of the built CLI as a process, with an input and an environment of its own. */
export async function cliProcess(
  args: readonly string[],
  input = '',
  env: NodeJS.ProcessEnv = {},
): Promise<Said> {
  const child = spawn(process.execPath, [mainOf('cli'), ...args], {
    env: { ...process.env, ...env },
    stdio: 'pipe',
  });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, stdout, stderr };
}

/** Parses a command's JSON output; fails when it prints anything else or does not succeed. */
export async function json(...args: readonly string[]): Promise<any> {
  const { code, stdout, stderr } = await cli([...args, '--json']);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${stderr}`);
  return JSON.parse(stdout);
}

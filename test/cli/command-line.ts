import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { mainOf } from '@commerce/stack';

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the built CLI against the databases in this test's environment. */
export async function cli(args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}): Promise<Said> {
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

/**
 * What the scripts share that run as processes of their own, so that the two sides of a benchmark and its load do not
 * take time from each other's event loops.
 */
import type { Pair, Round } from './measure/summary.js';

/** The argument that the script was started with. */
export function argument(): string {
  return process.argv[2] ?? '';
}

/** A variable of the stack, or one that the benchmark has set for this script. */
export function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this script is run by npm run bench`);
  return value;
}

/** Hands what was measured to the benchmark. */
export function print(measured: Round | Pair): void {
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}

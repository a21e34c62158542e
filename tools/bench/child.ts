/** Shared by the servers that the benchmarks start as processes of their own. */

/** A variable of the stack, or one that the benchmark has set for this server. */
export function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this script is run by npm run bench`);
  return value;
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { BenchContext } from '../context.js';
import type { Pair } from '../measure/summary.js';
import type { LoadSpec, Target } from './load.js';

/** A server that answers requests. */
export interface Server extends Pick<Target, 'url' | 'headers'> {
  readonly pid: number;
}

/** What is asked of a server, and whose processor time it takes. */
export function target(
  context: BenchContext,
  { url, headers, pid }: Server,
  paths: readonly string[],
): Target {
  return { url, headers, paths, pids: { server: pid, ...context.databasePids } };
}

/** One round of both sides, from a process of its own. */
export function load(context: BenchContext, spec: Omit<LoadSpec, 'ms'>): Promise<Pair> {
  // By a file: what is read may be more than an argument holds.
  const file = join(context.dataDir, 'load.json');
  writeFileSync(file, JSON.stringify({ ...spec, ms: context.scale.ms } satisfies LoadSpec));
  return context.runScript('products/load.js', file);
}

import { totalmem } from 'node:os';

import { type Stack, startStack, type ToolContext } from '@commerce/stack';
import { residentMib } from '@commerce/testing';

import type { Benchmark, Measured } from './benchmark.js';
import { BenchContext, pidOf } from './context.js';
import { benchEnv, openDatabases, requireEmptyRedis } from './databases.js';
import { describeMachine } from './report/machine.js';
import type { Scale } from './scale.js';

export interface RunOptions extends Pick<ToolContext, 'env' | 'processes' | 'log'> {
  readonly scale: Scale;
  /** Of the last minute, before anything was started. */
  readonly load: number;
  /** Folder for V8's profiles. */
  readonly profile: string | null;
  /** The run's own folder, removed afterwards. */
  readonly dataDir: string;
}

/** One benchmark on databases and processes of its own. */
export async function runOne(
  benchmark: Benchmark,
  { scale, load, profile, dataDir, env: callers, processes, log }: RunOptions,
): Promise<{ measured: Measured[]; machine: Record<string, string> }> {
  const env = { ...benchEnv(callers), ...benchmark.env, ...(profile === null ? {} : profiled(profile)) };
  await requireEmptyRedis(env['REDIS_URL']);
  const before = processes.children;
  const stack = await startStack({
    dataDir,
    ephemeral: true,
    databaseCacheGb: defaultCacheGb(),
    processes: [...benchmark.apps],
    env,
    owner: processes,
    log: (area, text) => log(benchmark.name, `${area}: ${text}`),
  });
  const { db, redis, close } = await openDatabases(stack, env);
  try {
    const machine = await describeMachine(db, redis, stack, load);
    const say = (text: string): void => log(benchmark.name, text);
    const context = await BenchContext.found({ stack, db, processes, log, dataDir, scale, say });
    const measured = await benchmark.run(context);
    return {
      measured,
      machine: { ...context.facts, ...machine, 'Memory at the end': memoryOf(benchmark, stack) },
    };
  } finally {
    await close();
    await processes.end(processes.children.filter((child) => !before.includes(child)));
  }
}

/** As much as MongoDB takes unless told otherwise. */
function defaultCacheGb(): number {
  return Math.max(0.25, (totalmem() / 2 ** 30 - 1) / 2);
}

function memoryOf({ apps }: Benchmark, { pids }: Stack): string {
  const used = apps.map((app) => `${app} ${residentMib(pidOf(app, pids[app])).toFixed(0)} MiB`);
  return used.join(', ');
}

function profiled(folder: string): NodeJS.ProcessEnv {
  const script = new URL('./measure/profile.js', import.meta.url).href;
  return { NODE_OPTIONS: `--import=${script}`, BENCH_PROFILE: folder };
}

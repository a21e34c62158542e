import { randomBytes } from 'node:crypto';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';

import { createCompany, startStack } from '@commerce/stack';
import { residentMib, toolEnv } from '@commerce/testing';
import type { mongo } from 'mongoose';

import { BenchContext, type Benchmark, type Run } from './context.js';
import type { Measured } from './measure/compare.js';
import { connect } from './measure/connect.js';

/** Runs one benchmark on databases and processes of its own; gives the facts behind the numbers as well. */
export async function runOne(
  benchmark: Benchmark,
  run: Run,
): Promise<{ measured: Measured[]; facts: Record<string, string> }> {
  const { profile, dataDir, processes, say } = run;
  const env = { ...benchEnv(run.env), ...benchmark.env, ...(profile === null ? {} : profiled(profile)) };
  const before = processes.children;
  const stack = await startStack({
    dataDir,
    ephemeral: true,
    // As much as MongoDB takes by default.
    databaseCacheGb: Math.max(0.25, (totalmem() / 2 ** 30 - 1) / 2),
    processes: [...benchmark.apps],
    env,
    owner: processes,
    log: (area, text) => say(`${area}: ${text}`),
  });
  const client = await connect(stack.uris.mongodb);
  const db = client.db();
  try {
    const keys = await createCompany({ processes, env: stack.env }, 'Benchmarks');
    const context = new BenchContext(run, stack, client, keys);
    const measured = await benchmark.run(context);
    const memory = benchmark.apps.map((app) => `${app} ${residentMib(context.pidOf(app)).toFixed(0)} MiB`);
    const machine = await machineFacts(db);
    return { measured, facts: { ...machine, 'Memory at the end': memory.join(', ') } };
  } finally {
    if (env['MONGODB_URI']) await db.dropDatabase();
    await client.close();
    await processes.end(processes.children.filter((child) => !before.includes(child)));
  }
}

/** The caller's environment without settings that change the numbers, with a database of its own on a given MongoDB. */
function benchEnv({ MONGODB_URI: given, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const uri = given ? new URL(given) : null;
  if (uri !== null) uri.pathname = `/bench_${randomBytes(6).toString('hex')}`;
  return {
    ...toolEnv(env),
    ...(uri === null ? {} : { MONGODB_URI: uri.href }),
  };
}

function profiled(folder: string): NodeJS.ProcessEnv {
  const script = new URL('./measure/profile.js', import.meta.url).href;
  return { NODE_OPTIONS: `--import=${script}`, BENCH_PROFILE: folder };
}

async function machineFacts(db: mongo.Db): Promise<Record<string, string>> {
  const { version, secantusVersion: embedded } = (await db.admin().buildInfo()) as Record<string, string>;
  const program = embedded === undefined ? '' : `secantusd ${embedded}, which calls itself `;
  const cores = `${cpus()[0]?.model ?? 'unknown'}, ${String(availableParallelism())} cores`;
  const memory = `${(totalmem() / 2 ** 30).toFixed(1)} GiB`;
  return {
    Date: `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    Machine: `${cores}, ${memory}, ${type()} ${release()}`,
    Database: `${program}MongoDB ${String(version)}`,
    Node: process.version,
  };
}

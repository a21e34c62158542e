import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';

import { startStack } from '@commerce/stack';
import { residentMib } from '@commerce/testing';
import mongoose, { type mongo } from 'mongoose';

import type { Benchmark } from './benchmark.js';
import { BenchContext, type Run } from './context.js';
import type { Measured } from './measure/compare.js';

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
  const client = await new mongoose.mongo.MongoClient(stack.uris.mongodb).connect();
  const db = client.db();
  try {
    const context = await BenchContext.found(run, stack, db);
    const measured = await benchmark.run(context);
    const memory = benchmark.apps.map((app) => `${app} ${residentMib(context.pidOf(app)).toFixed(0)} MiB`);
    const machine = await machineFacts(db, stack.pids.MongoDB);
    return { measured, facts: { ...context.facts, ...machine, 'Memory at the end': memory.join(', ') } };
  } finally {
    if (env['MONGODB_URI']) await db.dropDatabase();
    await client.close();
    await processes.end(processes.children.filter((child) => !before.includes(child)));
  }
}

/** The caller's environment without settings that change the numbers, with a database of its own on a given MongoDB. */
function benchEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const decided =
    /^(.*PORT|DATA_DIR|REDIS_URL|STRIPE_.*|SANDBOX_.*|WEBHOOK_.*|RATE_LIMIT_.*|AUTH_FAILURES_.*|SWEEP_.*|PROVIDER_RATE_.*|CHARGES_AT_ONCE)$/;
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !decided.test(name)));
  const limits = [
    'RATE_LIMIT_PER_SECOND',
    'USER_RATE_LIMIT_PER_SECOND',
    'ADDRESS_RATE_LIMIT_PER_SECOND',
    'CARD_ATTEMPTS_PER_HOUR',
    'VERIFIES_PER_MINUTE_AND_HOST',
    'AUTH_FAILURES_PER_MINUTE',
  ];
  const uri = kept['MONGODB_URI'] ? new URL(kept['MONGODB_URI']) : null;
  if (uri !== null) uri.pathname = `/bench_${randomBytes(6).toString('hex')}`;
  return {
    ...kept,
    ...(uri === null ? {} : { MONGODB_URI: uri.href }),
    NODE_ENV: 'development',
    LOG_LEVEL: 'warn',
    ...Object.fromEntries(limits.map((name) => [name, '0'])),
  };
}

function profiled(folder: string): NodeJS.ProcessEnv {
  const script = new URL('./measure/profile.js', import.meta.url).href;
  return { NODE_OPTIONS: `--import=${script}`, BENCH_PROFILE: folder };
}

async function machineFacts(db: mongo.Db, pid: number | undefined): Promise<Record<string, string>> {
  const { version } = await db.admin().buildInfo();
  const cores = `${cpus()[0]?.model ?? 'unknown'}, ${String(availableParallelism())} cores`;
  const memory = `${(totalmem() / 2 ** 30).toFixed(1)} GiB`;
  return {
    Date: `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    Machine: `${cores}, ${memory}, ${type()} ${release()}`,
    Database: `${programOf(pid)}, which calls itself MongoDB ${String(version)}`,
    Node: process.version,
  };
}

/** The program of a process with its own version: the database need not be MongoDB's own server. */
function programOf(pid: number | undefined): string {
  if (pid === undefined) return 'the server of MONGODB_URI';
  try {
    const program = readlinkSync(`/proc/${String(pid)}/exe`);
    return execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n', 1)[0] ?? program;
  } catch {
    return 'a server of this run';
  }
}

import { randomBytes } from 'node:crypto';
import { mkdtempSync, realpathSync } from 'node:fs';
import { availableParallelism, cpus, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';

import type { Log } from '#scripts/system/report.mjs';
import { startStack, type ToolContext } from '@commerce/stack';
import { residentMib, toolEnv } from '@commerce/testing';
import type { mongo } from 'mongoose';

import { BenchContext, makeCompany, type Benchmark, type Scale } from './context.js';
import type { Measured } from './measure/compare.js';
import { connect } from './measure/connect.js';

/** Runs one benchmark on databases and processes of its own; gives the facts behind the numbers as well. */
export async function runOne(
  { name, apps, env: own, run }: Benchmark,
  scale: Scale,
  { log: logAll, ...given }: ToolContext,
): Promise<{ measured: Measured[]; facts: Record<string, string> }> {
  const log: Log = (area, text) => logAll(name, `${area}: ${text}`);
  const tool = { ...given, log };
  const env = { ...benchEnv(tool.env), ...own };
  const stack = await startStack({
    dataDir: mkdtempSync(join(realpathSync(tmpdir()), 'commerce-bench-')),
    ephemeral: true,
    processes: apps,
    env,
    owner: tool.processes,
    log,
  });
  const client = await connect(stack.uris.mongodb);
  const db = client.db();
  try {
    const admin = await makeCompany(tool, stack);
    const context = new BenchContext(tool, stack, client, scale, admin);
    const measured = await run(context);
    const memory = apps.map((app) => `${app} ${residentMib(context.pidOf(app)).toFixed(0)} MiB`);
    const machine = await machineFacts(db);
    return { measured, facts: { ...machine, 'Memory at the end': memory.join(', ') } };
  } finally {
    if (env['MONGODB_URI']) await db.dropDatabase();
    await client.close();
    await tool.processes.end(tool.processes.children);
  }
}

/** The caller's environment without settings that change the numbers, with a database of its own on a given MongoDB. */
function benchEnv({ MONGODB_URI: given, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (!given) return toolEnv(env);
  const uri = new URL(given);
  uri.pathname = `/bench_${randomBytes(6).toString('hex')}`;
  return { ...toolEnv(env), MONGODB_URI: uri.href };
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

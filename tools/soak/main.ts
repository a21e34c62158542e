import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { messageOf, StartError } from '#scripts/system/errors.mjs';
import { createCompany, type Stack, startStack, type ToolContext } from '@commerce/stack';
import { Client, MerchantEndpoint, toolEnv } from '@commerce/testing';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { Agent, setGlobalDispatcher } from 'undici';

import { Life } from './life.js';
import { Sampler, type Sample } from './samples.js';
import { collectionTable, memoryTable } from './table.js';
import { growths } from './verdict.js';

const USAGE = 'npm run soak [-- --minutes N]: 10 if not given';

/** The least time that a day of the company's life takes. */
const DAY_MS = 1500;

/** The number of samples in a run; garbage is collected at every sixth of them, from the sixth on. */
const SAMPLES = 30;
const COLLECT = 6;

const KINDS = [
  'payment.succeeded',
  'payment.failed',
  'payment.updated',
  'subscription.activated',
  'order.updated',
  'user.created',
];

/**
 * `npm run soak [-- --minutes N]`: a company's life on test clocks, on its own processes and databases. Prints each
 * process's memory and the size of the databases over time, and exits with 1 when either grew unexpectedly.
 */
export async function main({ args, env, processes, log }: ToolContext): Promise<number> {
  const minutes = readMinutes(args);
  // Shorter than the collection of garbage, so that no connection is reused after the API has closed it.
  setGlobalDispatcher(new Agent({ keepAliveTimeout: 500, keepAliveMaxTimeout: 500 }));
  const dataDir = mkdtempSync(join(realpathSync(tmpdir()), 'commerce-soak-'));
  const folder = join(dataDir, 'live');
  mkdirSync(folder);
  const stack = await startStack({
    dataDir,
    ephemeral: true,
    env: ownEnv(env, folder),
    owner: processes,
    log,
  });
  let over = false;
  // Reports the death of a process, which the error that follows would not name.
  for (const child of processes.children)
    child.ended.then(
      (reason) => (over ? undefined : log(child.name, `ended: ${reason}`)),
      () => undefined,
    );
  try {
    const keys = await createCompany({ processes, env: { ...stack.env, NODE_OPTIONS: '' } }, 'Roastery');
    const client = new Client(stack.uris.api, { apiKey: keys.api_key, bearer: keys.service_key });
    const samples = await soak(stack, client, minutes, folder);
    return report(samples);
  } finally {
    over = true;
    await stack.stop();
  }
}

async function soak(stack: Stack, client: Client, minutes: number, folder: string): Promise<Sample[]> {
  const mongo = await new mongoose.mongo.MongoClient(stack.uris.mongodb).connect();
  const redis = new Redis(stack.uris.redis);
  const endpoint = await MerchantEndpoint.start(client);
  try {
    await endpoint.register(KINDS);
    await endpoint.untilVerified();
    const life = new Life(client);
    await life.begin();
    return await measure(life, new Sampler(mongo.db(), redis, stack.pids, folder), minutes);
  } finally {
    await endpoint.stop();
    redis.disconnect();
    await mongo.close();
  }
}

async function measure(life: Life, sampler: Sampler, minutes: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (samples.length < SAMPLES) {
    const next = ((samples.length + 1) * minutes) / SAMPLES;
    do {
      const since = performance.now();
      await life.live();
      await pause(Math.max(0, DAY_MS - (performance.now() - since)));
    } while (sampler.minutes < next);
    const sample = await sampler.take(life.days, (samples.length + 1) % COLLECT === 0);
    samples.push(sample);
    process.stdout.write(`${memoryTable([sample]).split('\n').at(-1) ?? ''}\n`);
  }
  return samples;
}

function report(samples: readonly Sample[]): number {
  const found = growths(samples);
  const verdict = found.length === 0 ? ['Nothing grew but what should.'] : found;
  const text = [memoryTable(samples), collectionTable(samples), verdict.join('\n')].join('\n\n');
  process.stdout.write(`\nMemory in MiB\n${text}\n`);
  return found.length === 0 ? 0 : 1;
}

/** The environment of the run, without the caller's database, queue and card provider. */
function ownEnv(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  const script = new URL('./collect.js', import.meta.url).href;
  return {
    ...toolEnv(env),
    NODE_OPTIONS: `--import=${script}`,
    SOAK_FOLDER: folder,
  };
}

function readMinutes(args: readonly string[]): number {
  try {
    const options = { minutes: { type: 'string', default: '10' } } as const;
    const minutes = Number(parseArgs({ args: [...args], options }).values.minutes);
    if (!(minutes > 0)) throw new Error('--minutes is a number');
    return minutes;
  } catch (error) {
    throw new StartError(`${messageOf(error)}\n\n${USAGE}`);
  }
}

import { mkdtempSync, realpathSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { messageOf, StartError } from '#scripts/system/errors.mjs';
import { createCompany, type Stack, startStack, type ToolContext } from '@commerce/stack';
import { Client, chargesOf, freePort, mostResidentMib, toolEnv } from '@commerce/testing';
import mongoose from 'mongoose';

import { Backlog } from './backlog.js';
import type { Options } from './options.js';
import { reportOf, type Measured, type Worker } from './report.js';

const USAGE = `npm run scale -- [options]

  --subscriptions N   how many there are, 100000 if not given
  --due N             how many of them fall due at once, 10000 if not given
  --workers N         processes that bill them, 4 if not given
`;

/**
 * `npm run scale`: bills many subscriptions that fall due simultaneously with several worker processes, on its own
 * databases, and prints each worker's share and memory. Exits with 1 when one was not billed exactly once, a share
 * differs by more than a fifth from an equal one, or a process took more than 300 MiB.
 */
export async function main({ args, env, processes, log }: ToolContext): Promise<number> {
  const options = readArguments(args);
  const stack = await startStack({
    dataDir: mkdtempSync(join(realpathSync(tmpdir()), 'commerce-scale-')),
    ephemeral: true,
    processes: ['sandbox', 'api'],
    env: toolEnv(env),
    owner: processes,
    log,
  });
  const mongo = await new mongoose.mongo.MongoClient(stack.uris.mongodb).connect();
  try {
    const keys = await createCompany({ processes, env: stack.env }, 'Scale');
    const client = new Client(stack.uris.api, { apiKey: keys.api_key, bearer: keys.service_key });
    const backlog = new Backlog(mongo.db(), client, options);
    log('Subscriptions', `${String(options.subscriptions)}, ${String(options.due)} of them to fall due`);
    await backlog.layOut();
    const { lines, wrong } = reportOf(await measure(stack, backlog, options));
    process.stdout.write(`\n${lines.join('\n')}\n\n`);
    for (const line of wrong) log('Wrong', line);
    if (wrong.length === 0) log('Done', 'each was billed once');
    return wrong.length === 0 ? 0 : 1;
  } finally {
    await mongo.close();
    await stack.stop();
  }
}

async function measure(stack: Stack, backlog: Backlog, { workers }: Options): Promise<Measured> {
  const started: Worker[] = [];
  for (let n = 0; n < workers; n += 1) {
    const port = await freePort();
    const { pid } = await stack.start('worker', { WORKER_MANAGEMENT_PORT: String(port) });
    if (pid === undefined) throw new StartError('A worker did not start.');
    started.push({ name: `worker ${String(n + 1)}`, port, pid });
  }
  const load = loadavg()[0] ?? 0;
  const seconds = await backlog.untilBilled();
  const shares = await Promise.all(started.map(({ port }) => chargesOf(port)));
  return {
    workers: started.map((worker, index) => ({ ...worker, charges: shares[index] ?? 0 })),
    memory: [...started, ...others(stack)].map(({ name, pid }) => ({ name, mib: mostResidentMib(pid) })),
    seconds,
    load: [load, loadavg()[0] ?? 0],
    ...(await backlog.verdict(stack.env)),
  };
}

function others({ pids }: Stack): { name: string; pid: number }[] {
  return pids.api === undefined ? [] : [{ name: 'api', pid: pids.api }];
}

function readArguments(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        subscriptions: { type: 'string', default: '100000' },
        due: { type: 'string', default: '10000' },
        workers: { type: 'string', default: '4' },
      },
    });
    const [subscriptions, due, workers] = [values.subscriptions, values.due, values.workers].map(Number);
    if (!subscriptions || !due || !workers || due > subscriptions)
      throw new Error(
        '--subscriptions, --due and --workers are numbers, and no more can be due than there are',
      );
    return { subscriptions, due, workers };
  } catch (error) {
    throw new StartError(`${messageOf(error)}\n\n${USAGE}`);
  }
}

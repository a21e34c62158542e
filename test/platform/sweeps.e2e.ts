import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import { JobWorkersModule, Sweeps } from '@commerce/jobs';
import { ProcessModule } from '@commerce/process';
import { eventually } from '@commerce/testing';
import type { Connection, mongo } from 'mongoose';

import { createWorker, startWorker } from '../../apps/worker/src/create-worker.js';
import { SweepClock } from '../../apps/worker/src/sweep-clock.js';
import { SweepLeaseStore } from '../../apps/worker/src/sweep-lease.store.js';
import { watchCommands } from '../sent-commands.js';
import { World } from '../world.js';

const IDLE_WORKERS = 8;
const COUNTED_MS = 4000;
/** Of a worker that sweeps, on the slowest machine. */
const LEAST_COMMANDS = 20;

/** The sweeps belong to a worker for two seconds. */
const LEASE_MS = '5000';

let world: World;
const running = new Set<INestApplicationContext>();
beforeAll(async () => {
  watchCommands();
  world = await World.start({ worker: false, env: { LEASE_MS } });
});
afterEach(async () => {
  await Promise.all([...running].map(close));
});
afterAll(() => world.stop());

async function close(worker: INestApplicationContext): Promise<void> {
  running.delete(worker);
  await worker.close();
}

/** The commands that each of these processes sends while `ms` go by, without those that watch the server. */
async function commandsOfEach(workers: readonly INestApplicationContext[], ms: number): Promise<number[]> {
  const sent = workers.map(() => 0);
  const ends = workers.map((worker, index) => {
    const client = worker.get<Connection>(getConnectionToken()).getClient();
    const note = ({ commandName }: mongo.CommandStartedEvent): void => {
      if (commandName !== 'hello' && commandName !== 'ping') sent[index] = (sent[index] ?? 0) + 1;
    };
    client.on('commandStarted', note);
    return () => client.off('commandStarted', note);
  });
  await pause(ms);
  for (const end of ends) end();
  return sent;
}

describe(`${String(IDLE_WORKERS)} idle workers`, () => {
  it('ask the database for hardly more than one', async () => {
    const workers: INestApplicationContext[] = [];
    while (workers.length < IDLE_WORKERS) {
      const worker = await createWorker();
      running.add(worker);
      workers.push(worker);
      startWorker(worker);
    }
    // Every worker sweeps once at its start, and another may take over while this process is busy.
    const isQuiet = (each: readonly number[]): boolean => {
      const most = Math.max(...each);
      return most >= LEAST_COMMANDS && each.reduce((sum, sent) => sum + sent) < 1.5 * most;
    };
    const each = await eventually(() => commandsOfEach(workers, COUNTED_MS), isQuiet, 60_000);
    process.stdout.write(`commands of each: ${each.join(', ')}\n`);
  }, 120_000);
});

/** A sweep that counts its passes and takes as long as the test says. */
@Injectable()
class CountedSweep {
  passes = 0;
  static takesMs = 0;

  @Sweeps('counted')
  async sweep(): Promise<void> {
    this.passes += 1;
    await pause(CountedSweep.takesMs);
  }
}

@Module({
  imports: [ProcessModule.forWorker(), JobWorkersModule],
  providers: [SweepClock, SweepLeaseStore, CountedSweep],
})
class CountedModule {}

interface Counted {
  readonly worker: INestApplicationContext;
  readonly sweep: CountedSweep;
}

async function counted(): Promise<Counted> {
  const worker = await NestFactory.createApplicationContext(CountedModule, { logger: false });
  running.add(worker);
  worker.get(SweepClock).start();
  const sweep = worker.get(CountedSweep);
  await eventually(
    () => Promise.resolve(sweep.passes),
    (passes) => passes > 0,
  );
  return { worker, sweep };
}

/** Which of them begin a pass within a second. */
async function sweeping(all: readonly Counted[]): Promise<boolean[]> {
  const before = all.map(({ sweep }) => sweep.passes);
  await pause(1000);
  return all.map(({ sweep }, index) => sweep.passes > (before[index] ?? 0));
}

const isOne = (swept: readonly boolean[]): boolean => swept.filter((one) => one).length === 1;

function rows(): mongo.Collection<{ _id: string; held_by: string | null }> {
  return world.api.get<Connection>(getConnectionToken()).getClient().db().collection('sweep_leases');
}

describe('Of several workers', () => {
  beforeEach(() => {
    CountedSweep.takesMs = 0;
  });

  it('all sweep at their start, and one goes on until it ends; then another does', async () => {
    const all = [await counted(), await counted(), await counted()];
    const first = await eventually(() => sweeping(all), isOne);
    const [stopped] = all.splice(first.indexOf(true), 1);
    const before = await rows().findOne({});
    await close(stopped!.worker);
    expect((await rows().findOne({}))?.held_by).not.toBe(before?.held_by);
    await eventually(() => sweeping(all), isOne);
  });

  it('all sweep while the passes of one take long', async () => {
    const all = [await counted(), await counted(), await counted()];
    CountedSweep.takesMs = 3500;
    const passes = (): Promise<number[]> => Promise.resolve(all.map(({ sweep }) => sweep.passes));
    const before = await passes();
    await eventually(passes, (now) => now.every((count, index) => count > before[index]! + 1), 60_000);
    CountedSweep.takesMs = 0;
    await eventually(() => sweeping(all), isOne, 60_000);
  }, 120_000);

  it('the one whose lease was taken sweeps no more', async () => {
    const all = [await counted()];
    await eventually(() => sweeping(all), isOne);
    const until = new Date(Date.now() + 3_600_000);
    await rows().updateOne({}, { $set: { held_by: 'another', until } });
    await eventually(
      () => sweeping(all),
      (swept) => !isOne(swept),
    );
    await rows().updateOne({}, { $set: { until: new Date(0) } });
    await eventually(() => sweeping(all), isOne);
  });
});

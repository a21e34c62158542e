/** Shared by the scripts that run as processes of their own, and take no time from each other's event loops. */
import { readFileSync } from 'node:fs';

import mongoose from 'mongoose';

import { startCpu } from './measure/cpu.js';

const { BSON, MongoClient } = mongoose.mongo;

/** The specification that the script was started with. */
export function specification<T>(): T {
  return BSON.EJSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'), { relaxed: true }) as T;
}

/** A variable of the stack, or one that the benchmark has set for this script. */
export function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this script is run by npm run bench`);
  return value;
}

/** Connects to the database with the settings of the service's own connection. */
export function connect(): Promise<InstanceType<typeof MongoClient>> {
  const durable = {
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
  } as const;
  return new MongoClient(variable('MONGODB_URI'), { ...durable, maxPoolSize: 50 }).connect();
}

/** Hands the measured rounds to the benchmark. */
export function print(measured: object): void {
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}

/** Measures a bare loop that does `things` at a time. It works twice: a worker, too, is warm when it is measured. */
export async function measureLoop(
  name: string,
  { things, pids }: { things: number; pids: Readonly<Record<string, number>> },
  work: () => Promise<unknown>,
): Promise<void> {
  await work();
  const cpuOf = startCpu({ [name]: process.pid, ...pids });
  const started = performance.now();
  await work();
  print({ rate: (things * 1000) / (performance.now() - started), ...cpuOf(things) });
}

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { eventually, residentMib } from '@commerce/testing';
import type { Redis } from 'ioredis';
import type { mongo } from 'mongoose';

/** The measurements of one time. */
export interface Sample {
  readonly minutes: number;
  readonly days: number;
  /** Resident memory in MiB, by process. */
  readonly resident: Readonly<Record<string, number>>;
  /** Memory in MiB still in use after all garbage is collected, by process; null in most samples. */
  readonly live: Readonly<Record<string, number>> | null;
  readonly documents: Readonly<Record<string, number>>;
  readonly redis: { readonly keys: number; readonly mib: number };
}

/** The processes whose garbage can be collected from outside. */
export const OURS = ['api', 'worker'] as const;

export const MIB = 2 ** 20;

interface Measured {
  readonly heapUsed: number;
  readonly external: number;
}

/** Measures processes, collections and Redis. */
export class Sampler {
  private readonly since = performance.now();

  constructor(
    private readonly db: mongo.Db,
    private readonly redis: Redis,
    private readonly pids: Readonly<Record<string, number | undefined>>,
    /** The folder to which the processes write their memory in use. */
    private readonly folder: string,
  ) {}

  get minutes(): number {
    return (performance.now() - this.since) / 60_000;
  }

  /** @param collect true to collect garbage after resident memory was measured */
  async take(days: number, collect: boolean): Promise<Sample> {
    const resident = this.resident();
    return {
      minutes: this.minutes,
      days,
      resident,
      live: collect ? await this.live() : null,
      documents: await this.documents(),
      redis: await this.inRedis(),
    };
  }

  private resident(): Record<string, number> {
    const found: Record<string, number> = {};
    for (const [name, pid] of Object.entries(this.pids)) {
      if (pid === undefined) continue;
      found[name] = residentMib(pid);
    }
    return found;
  }

  private async live(): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for (const name of OURS) {
      const pid = this.pids[name];
      if (pid === undefined) throw new Error(`${name} is not running`);
      const path = join(this.folder, `${String(pid)}.json`);
      process.kill(pid, 'SIGCONT');
      await eventually(() => existsSync(path), Boolean, 30_000, { what: `${name} to collect its garbage` });
      const { heapUsed, external } = JSON.parse(readFileSync(path, 'utf8')) as Measured;
      rmSync(path);
      found[name] = (heapUsed + external) / MIB;
    }
    return found;
  }

  private async documents(): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for (const { collectionName } of await this.db.collections())
      found[collectionName] = await this.db.collection(collectionName).countDocuments();
    return found;
  }

  private async inRedis(): Promise<Sample['redis']> {
    const memory = await this.redis.info('memory');
    const used = Number(/^used_memory:(\d+)/m.exec(memory)?.[1]);
    return { keys: await this.redis.dbsize(), mib: used / MIB };
  }
}

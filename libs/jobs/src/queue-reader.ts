import { Injectable } from '@nestjs/common';

import { RedisClient } from '@commerce/platform';
import { JobQueue } from './job-queue.js';
import { declaredJobs } from './job.js';

/** How one queue stands. It belongs to all companies, so nothing here says whose jobs wait, or how many. */
export interface QueueStanding {
  readonly name: string;
  readonly purpose: string;
  readonly paused: boolean;
  /** When the job that has waited longest was added; null where none waits. */
  readonly waiting_since: Date | null;
}

/** For how long a process uses its last read. */
const FRESH_MS = 1000;

/** Priorities that are looked at; more are never given. */
const PRIORITIES = 32;

/**
 * The instant at which the oldest waiting job was added, or an empty text, and whether the queue is paused. Jobs
 * without a priority stand in a list, the oldest last; the others in a set, by priority and then by age, so that the
 * oldest of each priority is reached without reading the others.
 */
const STANDING = `
local oldest = nil
local function look(id)
  local at = id and tonumber(redis.call('HGET', KEYS[4] .. id, 'timestamp') or '')
  if at and (oldest == nil or at < oldest) then oldest = at end
end
for _, list in ipairs({ KEYS[1], KEYS[5] }) do look(redis.call('LINDEX', list, -1)) end
local from = 0
for _ = 1, ${String(PRIORITIES)} do
  local first = redis.call('ZRANGEBYSCORE', KEYS[2], string.format('%.0f', from), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  if #first == 0 then break end
  look(first[1])
  from = (math.floor(tonumber(first[2]) / 4294967296) + 1) * 4294967296
end
return { oldest and string.format('%.0f', oldest) or '', redis.call('HEXISTS', KEYS[3], 'paused') }
`;

/** Reads how the queues stand, for people who look whether the service keeps up. */
@Injectable()
export class QueueReader {
  private last: { readonly standings: Promise<QueueStanding[] | null>; readonly at: number } | null = null;

  constructor(
    private readonly jobs: JobQueue,
    private readonly client: RedisClient,
  ) {}

  /** A second old at most; null when Redis is away. */
  standings(): Promise<QueueStanding[] | null> {
    const at = performance.now();
    if (this.last === null || at - this.last.at >= FRESH_MS)
      this.last = { standings: this.read().catch(() => null), at };
    return this.last.standings;
  }

  /** One round trip for all queues. */
  private async read(): Promise<QueueStanding[]> {
    const queues = this.jobs.allQueues();
    const pipeline = this.client.redis.pipeline();
    for (const queue of queues) {
      const keys = ['wait', 'prioritized', 'meta', '', 'paused'].map((type) => queue.toKey(type));
      pipeline.eval(STANDING, keys.length, ...keys);
    }
    const answers = (await pipeline.exec()) ?? [];
    const jobs = declaredJobs();
    return queues.map(({ name }, index) => {
      const [error, answer] = answers[index] ?? [new Error('Redis left an answer out'), null];
      if (error !== null) throw error;
      const [oldest, paused] = answer as [string, number];
      return {
        name,
        purpose: jobs.find(({ queue }) => queue === name)?.purpose ?? '',
        paused: paused === 1,
        waiting_since: oldest === '' ? null : new Date(Number(oldest)),
      };
    });
  }
}

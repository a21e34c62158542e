import { Injectable } from '@nestjs/common';

import { RedisClient } from '../redis/redis-client.js';
import { SystemClock } from '../time/system-clock.js';

/** A bucket that holds at most `burst` tokens and gains `perSecond`; 0 per second means no limit. */
export interface BucketRule {
  readonly perSecond: number;
  readonly burst: number;
}

export interface RateDecision {
  readonly allowed: boolean;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Milliseconds until the next token, when none was left. */
  readonly retryAfterMs: number;
}

/** Buckets remembered in memory while Redis is away; more than these are forgotten, oldest first. */
const MAX_REMEMBERED = 10_000;

/** Takes a token from the bucket KEYS[1]; ARGV: tokens per ms, burst, now in ms, whether to take. */
const TAKE = `
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local rate, burst, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local tokens = math.min(burst, (tonumber(state[1]) or burst) + math.max(0, now - (tonumber(state[2]) or now)) * rate)
local allowed = tokens >= 1 and 1 or 0
if ARGV[4] == '1' then tokens = tokens - allowed end
redis.call('HSET', KEYS[1], 'tokens', tokens, 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil(burst / rate) + 1000)
return { allowed, tostring(tokens) }
`;

/**
 * Token buckets shared by all processes through Redis. While Redis is away each process keeps its own, so that
 * limits go on, if looser, and requests never wait.
 */
@Injectable()
export class RateLimiter {
  private readonly memory = new Map<string, { tokens: number; at: number }>();

  constructor(
    private readonly state: RedisClient,
    private readonly clock: SystemClock,
  ) {}

  /** Takes one token of the bucket `key`, when one is left. */
  async take(key: string, rule: BucketRule): Promise<RateDecision> {
    return this.ask(key, rule, true);
  }

  private async ask(key: string, rule: BucketRule, take: boolean): Promise<RateDecision> {
    if (rule.perSecond <= 0 || rule.burst <= 0)
      return { allowed: true, remaining: rule.burst, retryAfterMs: 0 };
    const now = this.clock.now().getTime();
    const rate = rule.perSecond / 1000;
    const [allowed, tokens] = await this.inRedis(key, rate, rule.burst, now, take);
    const retryAfterMs = allowed ? 0 : Math.ceil((1 - tokens) / rate);
    return { allowed, remaining: Math.max(0, Math.floor(tokens)), retryAfterMs };
  }

  private async inRedis(
    key: string,
    rate: number,
    burst: number,
    now: number,
    take: boolean,
  ): Promise<[boolean, number]> {
    try {
      const { redis } = this.state;
      if (redis.status !== 'ready') return this.inMemory(key, rate, burst, now, take);
      const answer = (await redis.eval(TAKE, 1, `limit:${key}`, rate, burst, now, take ? '1' : '0')) as [
        number,
        string,
      ];
      return [answer[0] === 1, Number(answer[1])];
    } catch {
      return this.inMemory(key, rate, burst, now, take);
    }
  }

  private inMemory(key: string, rate: number, burst: number, now: number, take: boolean): [boolean, number] {
    const found = this.memory.get(key);
    let tokens =
      found === undefined ? burst : Math.min(burst, found.tokens + Math.max(0, now - found.at) * rate);
    const allowed = tokens >= 1;
    if (allowed && take) tokens -= 1;
    this.memory.delete(key);
    this.memory.set(key, { tokens, at: now });
    const oldest = this.memory.keys().next();
    if (this.memory.size > MAX_REMEMBERED && oldest.done !== true) this.memory.delete(oldest.value);
    return [allowed, tokens];
  }
}

import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

import { RedisClient } from '../redis/redis-client.js';
import { rateLimited, type RateLimit } from './rate-limited.js';

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

/**
 * Makes the library's window a token bucket. ARGV: tokens to take, (seconds of the window), burst, and the seconds in
 * which the bucket fills. Answers what the library reads as points consumed, more than there are where no token was
 * left, and the milliseconds to wait. The time is Redis' own, which all processes share.
 */
const TOKEN_BUCKET = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local burst = tonumber(ARGV[3])
local perMs = burst / tonumber(ARGV[4]) / 1000
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local elapsed = math.max(0, now - (tonumber(state[2]) or now))
local left = math.min(burst, (tonumber(state[1]) or burst) + elapsed * perMs) - tonumber(ARGV[1])
if left < 0 then return { burst + 1, math.ceil(-left / perMs) } end
redis.call('HSET', KEYS[1], 'tokens', left, 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil(burst / perMs) + 1000)
return { burst - math.floor(left), 0 }
`;

/** Of two pauses the one that ends later holds. ARGV: its milliseconds. */
const PAUSE = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
`;

/**
 * Token buckets that all processes share through Redis. While Redis is away each process counts in its own memory, in
 * windows: limits are looser then, but they hold, and no request waits.
 */
@Injectable()
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>();

  constructor(private readonly client: RedisClient) {}

  /** Takes tokens of the bucket `key`, all of them or none. */
  take(key: string, rule: BucketRule, tokens = 1): Promise<RateDecision> {
    return this.consume(key, rule, tokens);
  }

  /**
   * Takes one token of the bucket `key`.
   * @throws Fault `rate.limited` when none is left
   */
  async require(key: string, limit: RateLimit, message: string): Promise<void> {
    const { allowed, retryAfterMs } = await this.take(key, limit);
    if (!allowed) throw rateLimited(message, limit, retryAfterMs);
  }

  /** Whether a token is left in the bucket `key`, without taking it. */
  async look(key: string, rule: BucketRule): Promise<RateDecision> {
    const decision = await this.consume(key, rule, 0);
    const limits = rule.perSecond > 0 && rule.burst > 0;
    if (!limits || decision.remaining > 0) return decision;
    return { ...decision, allowed: false, retryAfterMs: Math.ceil(1000 / rule.perSecond) };
  }

  /** Tells all processes that nothing is to be done under `key` for a while. While Redis is away nobody is told. */
  async pause(key: string, ms: number): Promise<void> {
    try {
      await this.client.redis.eval(PAUSE, 1, pauseKey(key), Math.ceil(ms));
    } catch {
      // The process that pauses keeps to it by itself.
    }
  }

  /** Milliseconds for which any process has paused `key`; 0 while Redis is away. */
  async pausedFor(key: string): Promise<number> {
    try {
      return Math.max(0, await this.client.redis.pttl(pauseKey(key)));
    } catch {
      return 0;
    }
  }

  private async consume(key: string, rule: BucketRule, tokens: number): Promise<RateDecision> {
    if (rule.perSecond <= 0 || rule.burst <= 0) {
      return { allowed: true, remaining: rule.burst, retryAfterMs: 0 };
    }
    const { limiter, window } = this.bucket(rule);
    try {
      const { remainingPoints } = await limiter.consume(key, tokens, { customDuration: window });
      return { allowed: true, remaining: remainingPoints, retryAfterMs: 0 };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { allowed: false, remaining: 0, retryAfterMs: Math.ceil(refusal.msBeforeNext) };
    }
  }

  /** The limiter of a rule; there are as many as rules in the settings. */
  private bucket(rule: BucketRule): Bucket {
    const name = `${String(rule.perSecond)}/${String(rule.burst)}`;
    let bucket = this.buckets.get(name);
    if (bucket === undefined) {
      bucket = bucketOf(rule, this.client);
      this.buckets.set(name, bucket);
    }
    return bucket;
  }
}

/** Where the pause of `key` lies in Redis. */
export function pauseKey(key: string): string {
  return `pause:${key}`;
}

interface Bucket {
  readonly limiter: RateLimiterRedis;
  /** Whole seconds; the library knows no shorter windows. */
  readonly window: number;
}

function bucketOf({ perSecond, burst }: BucketRule, { redis }: RedisClient): Bucket {
  const window = Math.max(1, Math.ceil(burst / perSecond));
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'limit',
    points: burst,
    duration: burst / perSecond,
    customIncrTtlLuaScript: TOKEN_BUCKET,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory({
      keyPrefix: 'limit',
      points: Math.max(1, Math.round(perSecond * window)),
      duration: window,
    }),
  });
  return { limiter, window };
}

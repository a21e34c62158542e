import { Injectable } from '@nestjs/common';

import { RedisClient } from '../redis/redis-client.js';
import { pauseKey } from './rate-limiter.js';

/** How turns of one schedule follow one another. */
export interface TurnRule {
  readonly perSecond: number;
  /** The share that the turns count towards; each share has turns of its own ahead. */
  readonly share: string;
  /** Turns of the share that may lie in the future, whichever processes reserved them. */
  readonly ahead: number;
}

/** The answer to a process that asks for turns. */
export interface ReservedTurns {
  /** Milliseconds until each turn, in order. */
  readonly waits: readonly number[];
  /** Milliseconds until it is worth asking again, where there are none. */
  readonly retryAfterMs: number;
  /** Milliseconds for which nobody is to use a turn, reserved ones included. */
  readonly pausedMs: number;
}

/** Turns that nobody took can be made up for so long. */
const SLACK_MS = 250;

/** No turn lies further ahead, unless the clock of Redis was set back: then the schedule begins anew. */
const LONGEST_MS = 30_000;

/**
 * Hands out consecutive turns, as many as the share may have ahead. KEYS: the schedule, its pause. ARGV: milliseconds
 * between turns, turns wanted, turns ahead, slack, longest wait, share. The last turns of a share are kept in a ring:
 * one more may be reserved once the oldest of them has come.
 */
const RESERVE = `
local paused = redis.call('PTTL', KEYS[2])
if paused > 0 then return { paused, paused } end
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval, wanted, ahead = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local share, latest = ARGV[6], now + tonumber(ARGV[5])
local function at(field)
  local value = tonumber(redis.call('HGET', KEYS[1], field)) or 0
  return value > latest and 0 or value
end
local taken = tonumber(redis.call('HGET', KEYS[1], share)) or 0
local free = math.max(at('next'), now - tonumber(ARGV[4]))
local answer = { 0, 0 }
for turn = 1, wanted do
  local slot = share .. ':' .. taken % ahead
  if at(slot) > now then break end
  redis.call('HSET', KEYS[1], slot, string.format('%.3f', free))
  answer[#answer + 1] = math.max(0, math.ceil(free - now))
  free = free + interval
  taken = taken + 1
end
if #answer == 2 then
  local half = share .. ':' .. (taken + math.ceil(ahead / 2) - 1) % ahead
  answer[1] = math.max(1, math.ceil(at(half) - now))
  return answer
end
redis.call('HSET', KEYS[1], 'next', string.format('%.3f', free), share, string.format('%d', taken))
redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[5]) * 2)
return answer
`;

/**
 * Turns at a steady rate that all processes share through Redis. A process reserves turns in the near future; those of
 * a process that dies are lost. While Redis is away each process keeps the rate by itself.
 */
@Injectable()
export class TurnScheduler {
  /** By schedule, when the next turn is free while Redis is away. */
  private readonly free = new Map<string, number>();

  constructor(private readonly client: RedisClient) {}

  /**
   * Reserves up to so many turns.
   * @param key with braces around the part that a Redis cluster places by
   */
  async reserve(key: string, rule: TurnRule, wanted: number): Promise<ReservedTurns> {
    const { perSecond, share, ahead } = rule;
    const keys = [`turns:${key}`, pauseKey(key)];
    const values = [1000 / perSecond, wanted, ahead, SLACK_MS, LONGEST_MS, share];
    try {
      const answer = (await this.client.redis.eval(RESERVE, 2, ...keys, ...values)) as number[];
      const [retryAfterMs = 0, pausedMs = 0, ...waits] = answer;
      return { waits, retryAfterMs, pausedMs };
    } catch {
      return this.reserveAlone(key, rule, wanted);
    }
  }

  private reserveAlone(key: string, { perSecond, ahead }: TurnRule, wanted: number): ReservedTurns {
    const interval = 1000 / perSecond;
    const now = performance.now();
    let free = Math.max(this.free.get(key) ?? 0, now - SLACK_MS);
    const waits: number[] = [];
    while (waits.length < wanted && free <= now + interval * ahead) {
      waits.push(Math.max(0, Math.ceil(free - now)));
      free += interval;
    }
    this.free.set(key, free);
    return { waits, retryAfterMs: waits.length > 0 ? 0 : Math.ceil(interval), pausedMs: 0 };
  }
}

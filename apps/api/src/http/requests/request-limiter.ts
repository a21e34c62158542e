import { hash } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { CustomerLimiter } from '@commerce/identity';
import { isFault } from '@commerce/kernel';
import { type Caller } from '@commerce/data';
import { CONFIG, RateLimiter, rateLimited, type Config, type RateLimit } from '@commerce/platform';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';

import { setRateLimit } from '../replies/rate-limit-headers.js';
import { IdempotencyLimiter } from '../idempotency/idempotency-limiter.js';
import { keyOf } from '../idempotency/keyed-request.js';
import type { ServiceRequest } from '../service-request.js';
import { addressOf } from './address-of.js';

/** Credentials that succeeded within this time pass although others at the same address fail. */
const KNOWN_MS = 5 * 60_000;
const MAX_KNOWN = 10_000;

const TOO_MANY_FAILURES = 'Too many failed credentials from this address';

/** Limits requests by credential and address, and failed credentials by address. */
@Injectable()
export class RequestLimiter {
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: KNOWN_MS });

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly limiter: RateLimiter,
    private readonly customers: CustomerLimiter,
    private readonly keys: IdempotencyLimiter,
  ) {}

  /**
   * Authenticates, and counts failures by address. Beyond the limit, credentials of that address are refused with 429
   * before they are looked up, which makes guessing useless and cheap to refuse. Recently valid credentials still pass,
   * because others may share the address.
   */
  async authenticating(request: ServiceRequest, authenticate: () => Promise<Caller>): Promise<Caller> {
    const { authFailuresPerMinute: limit } = this.config.limits;
    if (limit === 0) return authenticate();
    const rule = { name: 'failed-credentials', perSecond: limit / 60, burst: limit };
    const key = `auth:${addressOf(request)}`;
    const credentials = hashOf(request);
    if (!this.known.has(credentials)) {
      const { allowed, retryAfterMs } = await this.limiter.look(key, rule);
      if (!allowed) throw rateLimited(TOO_MANY_FAILURES, rule, retryAfterMs);
    }
    try {
      const caller = await authenticate();
      this.known.set(credentials, true);
      return caller;
    } catch (error) {
      if (isFault(error)) {
        this.known.delete(credentials);
        await this.limiter.require(key, rule, TOO_MANY_FAILURES);
      }
      throw error;
    }
  }

  /**
   * Takes one request from each of the caller's buckets and states the rest in the headers. A service account has its
   * own bucket. Callers with the public API key share two, one for signed-in users and one for callers without a user,
   * so that strangers cannot exhaust the customers' limit.
   */
  async admit(request: ServiceRequest, response: Response, caller: Caller): Promise<void> {
    const { perSecond, burst } = this.config.limits;
    if (caller.role !== 'admin') {
      await this.admitAddress(request);
      if (caller.user !== null) await this.admitUser(caller.user.toHexString());
    }
    if (perSecond === 0) return;
    const limit = { name: 'requests', perSecond, burst };
    const { allowed, remaining, retryAfterMs } = await this.limiter.take(bucketOf(request, caller), limit);
    if (!allowed) throw rateLimited('Too many requests with this API key', limit, retryAfterMs);
    setRateLimit(response, limit, remaining, retryAfterMs);
  }

  /** Limits what is kept under idempotency keys. */
  async admitKey(request: ServiceRequest, caller: Caller): Promise<void> {
    if (keyOf(request) !== undefined) await this.keys.requireKey(caller);
  }

  /** Routes without credentials are limited by address alone. */
  async admitAddress(request: ServiceRequest): Promise<void> {
    const limit = { name: 'address', ...this.config.limits.address };
    await this.limiter.require(`address:${addressOf(request)}`, limit, 'Too many requests from this address');
  }

  /** Limits the card attempts of a user, on the pay page too, because thieves test stolen cards by many attempts. */
  async admitCardAttempt({ role, user }: Caller): Promise<void> {
    if (role !== 'admin' && user !== null) await this.customers.requireCardAttempt(user);
  }

  private async admitUser(user: string): Promise<void> {
    const limit: RateLimit = { name: 'user', ...this.config.limits.user };
    await this.limiter.require(`user:${user}`, limit, 'Too many requests of this user');
  }
}

/** The bucket that a caller shares with all callers of its kind. */
function bucketOf(request: ServiceRequest, { role, credential }: Caller): string {
  if (role === 'admin') return `credential:${credential}`;
  return `key:${String(request.headers['x-service-api-key']).slice(8, 32)}:${role}`;
}

/** Limits requests without a route, such as pages and unknown paths, like open routes. */
export function limitedByAddress(limiter: RequestLimiter): RequestHandler {
  const counted = new WeakSet<Request>();
  return (request: Request, _response: Response, next: NextFunction) => {
    if (counted.has(request)) {
      next();
      return;
    }
    counted.add(request);
    limiter.admitAddress(request as ServiceRequest).then(() => {
      next();
    }, next);
  };
}

function hashOf({ headers }: ServiceRequest): string {
  return hash(
    'sha256',
    `${String(headers['x-service-api-key'])}\n${String(headers.authorization)}`,
    'base64',
  );
}

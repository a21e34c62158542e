import { hash } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { fault, isFault } from '@commerce/kernel';
import {
  CONFIG,
  CustomerLimiter,
  RateLimiter,
  type BucketRule,
  type Caller,
  type Config,
} from '@commerce/platform';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';

import type { ServiceRequest } from '../service-request.js';
import { addressOf } from './address-of.js';

/** Credentials that were good so recently pass although others at the same address fail. */
const KNOWN_MS = 5 * 60_000;
const MAX_KNOWN = 10_000;

/** Limits requests by credential and address, and failed credentials by address. */
@Injectable()
export class RequestLimiter {
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: KNOWN_MS });

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly limiter: RateLimiter,
    private readonly customers: CustomerLimiter,
  ) {}

  /**
   * Authenticates, and counts failures by address. Beyond the limit, credentials of that address are refused with 429
   * before they are looked up, so that guessing yields nothing and costs little. Those that were good a moment ago
   * still pass, because others may share the address.
   */
  async authenticating(request: ServiceRequest, authenticate: () => Promise<Caller>): Promise<Caller> {
    const { authFailuresPerMinute: limit } = this.config.limits;
    if (limit === 0) return authenticate();
    const rule = { perSecond: limit / 60, burst: limit };
    const key = `auth:${addressOf(request)}`;
    const credentials = hashOf(request);
    if (!this.known.has(credentials)) {
      const { allowed, retryAfterMs } = await this.limiter.look(key, rule);
      if (!allowed) throw limited('Too many failed credentials from this address', retryAfterMs);
    }
    try {
      const caller = await authenticate();
      this.known.set(credentials, true);
      return caller;
    } catch (error) {
      if (isFault(error)) {
        this.known.delete(credentials);
        await this.require(key, rule, 'Too many failed credentials from this address');
      }
      throw error;
    }
  }

  /**
   * Takes one request from each of the caller's buckets and says in the headers what is left. A service account has one
   * of its own; all others share the API key's, which is public, and are held back by user and address before, so that
   * one of them cannot use it up.
   */
  async admit(request: ServiceRequest, response: Response, caller: Caller): Promise<void> {
    const { perSecond, burst } = this.config.limits;
    if (caller.role !== 'admin') {
      await this.admitAddress(request);
      if (caller.user !== null) await this.admitUser(caller.user.toHexString());
    }
    if (perSecond === 0) return;
    const key =
      caller.role === 'admin'
        ? `credential:${caller.credential}`
        : `key:${String(request.headers['x-service-api-key']).slice(8, 32)}`;
    const { allowed, remaining, retryAfterMs } = await this.limiter.take(key, { perSecond, burst });
    response.setHeader(
      'RateLimit-Policy',
      `"requests";q=${String(burst)};w=${String(Math.ceil(burst / perSecond))}`,
    );
    response.setHeader(
      'RateLimit',
      `"requests";r=${String(remaining)};t=${String(Math.ceil(retryAfterMs / 1000))}`,
    );
    if (!allowed) throw limited('Too many requests with this API key', retryAfterMs);
  }

  /** Routes without credentials are limited by address alone. */
  async admitAddress(request: ServiceRequest): Promise<void> {
    const { perSecond, burst } = this.config.limits.address;
    await this.require(
      `address:${addressOf(request)}`,
      { perSecond, burst },
      'Too many requests from this address',
    );
  }

  /** Stolen cards are tried by many attempts: a user has few, on the pay page too. */
  async admitCardAttempt({ role, user }: Caller): Promise<void> {
    if (role !== 'admin' && user !== null) await this.customers.requireCardAttempt(user);
  }

  private async admitUser(user: string): Promise<void> {
    const { perSecond, burst } = this.config.limits.user;
    await this.require(`user:${user}`, { perSecond, burst }, 'Too many requests of this user');
  }

  private async require(key: string, rule: BucketRule, message: string): Promise<void> {
    const { allowed, retryAfterMs } = await this.limiter.take(key, rule);
    if (!allowed) throw limited(message, retryAfterMs);
  }
}

/** Limits what answers outside the routes, such as pages and their files, as open routes are limited. */
export function limitedByAddress(limiter: RequestLimiter): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
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

function limited(message: string, retryAfterMs: number): Error {
  return fault('rate.limited', message, { retry_after_ms: retryAfterMs });
}

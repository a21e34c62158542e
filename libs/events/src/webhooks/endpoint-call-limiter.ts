import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, RateLimiter, type Config, type RateLimit } from '@commerce/platform';
import { type Id } from '@commerce/records';

import type { WebhookRecord } from './webhook.record.js';

/** A company may create this many times more webhooks in a minute than it may ask for verifications. */
const NEW_FACTOR = 4;

type Endpoint = Pick<WebhookRecord, '_id' | 'company' | 'endpoint'>;

/** Limits how often a company can have an endpoint called. Until it is verified, it may belong to anybody. */
@Injectable()
export class EndpointCallLimiter {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
    private readonly limiter: RateLimiter,
  ) {}

  /** Throws `rate.limited` when the webhook, its company or its host has had its verifications of this minute. */
  async requireVerify({ company, _id, endpoint }: Endpoint): Promise<void> {
    const { verifiesPerWebhook, verifiesPerCompany, verifiesPerHost } = this.config.limits;
    const limits = [
      [`verify:${_id.toHexString()}`, verifiesPerWebhook],
      [`verify:company:${company.toHexString()}`, verifiesPerCompany],
      [hostKey(endpoint), verifiesPerHost],
    ] as const;
    for (const [key, perMinute] of limits) {
      await this.limiter.require(key, verifications(perMinute), 'Too many verifications in one minute');
    }
  }

  /** Whether the endpoint of a new webhook may be verified now. The limit leaves room to set up many at once. */
  async mayVerifyNew({ company, endpoint }: Endpoint): Promise<boolean> {
    const { verifiesPerCompany, verifiesPerHost } = this.config.limits;
    const ofCompany = verifications(verifiesPerCompany * NEW_FACTOR);
    const { allowed } = await this.limiter.take(`verify:new:${company.toHexString()}`, ofCompany);
    return allowed && (await this.limiter.take(hostKey(endpoint), verifications(verifiesPerHost))).allowed;
  }

  async requireSimulate(webhook: Id): Promise<void> {
    const limit = limitOf('simulated-events', this.config.limits.simulatesPerWebhook);
    const message = 'Too many simulated events in one minute';
    await this.limiter.require(`simulate:${webhook.toHexString()}`, limit, message);
  }
}

/** Many companies together must not flood a host that may belong to none of them. */
function hostKey(endpoint: string): string {
  return `verify:host:${new URL(endpoint).hostname}`;
}

function verifications(perMinute: number): RateLimit {
  return limitOf('verifications', perMinute);
}

function limitOf(name: string, perMinute: number): RateLimit {
  return { name, perSecond: perMinute / 60, burst: perMinute };
}

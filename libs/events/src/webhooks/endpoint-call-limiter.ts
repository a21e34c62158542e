import { Inject, Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { CONFIG, RateLimiter, type Config, type Id } from '@commerce/platform';

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
    const { verifiesPerWebhook, verifiesPerCompany } = this.config.limits;
    const wait =
      (await this.wait(`verify:${_id.toHexString()}`, verifiesPerWebhook)) ??
      (await this.wait(`verify:company:${company.toHexString()}`, verifiesPerCompany)) ??
      (await this.waitForHost(endpoint));
    if (wait !== null) throw tooMany('Too many verifications in one minute', wait);
  }

  /** Whether the endpoint of a new webhook may be verified now. The limit leaves room to set up many at once. */
  async mayVerifyNew({ company, endpoint }: Endpoint): Promise<boolean> {
    const perMinute = this.config.limits.verifiesPerCompany * NEW_FACTOR;
    const wait =
      (await this.wait(`verify:new:${company.toHexString()}`, perMinute)) ??
      (await this.waitForHost(endpoint));
    return wait === null;
  }

  async requireSimulate(webhook: Id): Promise<void> {
    const wait = await this.wait(`simulate:${webhook.toHexString()}`, this.config.limits.simulatesPerWebhook);
    if (wait !== null) throw tooMany('Too many simulated events in one minute', wait);
  }

  /** Many companies together must not flood a host that may belong to none of them. */
  private waitForHost(endpoint: string): Promise<number | null> {
    return this.wait(`verify:host:${new URL(endpoint).hostname}`, this.config.limits.verifiesPerHost);
  }

  private async wait(key: string, perMinute: number): Promise<number | null> {
    const { allowed, retryAfterMs } = await this.limiter.take(key, {
      perSecond: perMinute / 60,
      burst: perMinute,
    });
    return allowed ? null : retryAfterMs;
  }
}

function tooMany(message: string, retryAfterMs: number): Error {
  return fault('rate.limited', message, { retry_after_ms: retryAfterMs });
}

import { Inject, Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { CONFIG, RateLimiter, type Config, type Id } from '@commerce/platform';

/** New webhooks are verified this many times as often as a company may ask for. */
const NEW_FACTOR = 4;

/** Bounds how often a company may have an endpoint called at its word: it could be anybody's. */
@Injectable()
export class EndpointCallLimiter {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
    private readonly limiter: RateLimiter,
  ) {}

  /** Throws `rate.limited` when the webhook or its company had its verifications of this minute. */
  async requireVerify(company: Id, webhook: Id): Promise<void> {
    const { verifiesPerWebhook, verifiesPerCompany } = this.config.limits;
    const wait =
      (await this.wait(`verify:${webhook.toHexString()}`, verifiesPerWebhook)) ??
      (await this.wait(`verify:company:${company.toHexString()}`, verifiesPerCompany));
    if (wait !== null) throw tooMany('Too many verifications in a minute', wait);
  }

  /** Whether the endpoint of a new webhook may be verified at once; a company that sets up many at a time may. */
  async mayVerifyNew(company: Id): Promise<boolean> {
    const perMinute = this.config.limits.verifiesPerCompany * NEW_FACTOR;
    return (await this.wait(`verify:new:${company.toHexString()}`, perMinute)) === null;
  }

  async requireSimulate(webhook: Id): Promise<void> {
    const wait = await this.wait(`simulate:${webhook.toHexString()}`, this.config.limits.simulatesPerWebhook);
    if (wait !== null) throw tooMany('Too many simulated events in a minute', wait);
  }

  private async wait(key: string, perMinute: number): Promise<number | null> {
    const verdict = await this.limiter.take(key, { perSecond: perMinute / 60, burst: perMinute });
    return verdict.allowed ? null : verdict.retryAfterMs;
  }
}

function tooMany(message: string, retryAfterMs: number): Error {
  return fault('rate.limited', message, { retry_after_ms: retryAfterMs });
}

import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '@commerce/data';
import { CONFIG, RateLimiter, rateLimited, type Config } from '@commerce/platform';

const DAY_SECONDS = 86_400;
const KIB = 1024;

/** A user may take this part of what its company may, and so may all replies with secrets together. */
const SHARE = 50;

/** The KiB that the reply with the secret of a key takes at most. */
const SECRET_KIB = 2;

/** Limits what each company, and each of its users, has kept under idempotency keys in a day. */
@Injectable()
export class IdempotencyLimiter {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Counts a request with an Idempotency-Key, before it has any effect.
   * @throws Fault `rate.limited`
   */
  async requireKey(caller: Caller): Promise<void> {
    const most = this.config.limits.idempotencyKeysPerDay;
    for (const [of, part] of sharesOf(caller)) {
      const limit = { name: 'idempotency-keys', ...perDay(most / part) };
      await this.limiter.require(`keys:${of}`, limit, 'Too many requests with an Idempotency-Key in a day');
    }
  }

  /** Counts the stored size of a reply; false where the budget of the user or of the company is too small for it. */
  async takes(caller: Caller, stored: string): Promise<boolean> {
    for (const [of, part] of sharesOf(caller)) {
      const rule = perDay(this.config.limits.keptReplyKib / part);
      const { allowed } = await this.limiter.take(`replies:${of}`, rule, Math.ceil(stored.length / KIB));
      if (!allowed) return false;
    }
    return true;
  }

  /**
   * Takes the room for a reply that shows a secret once, before the secret is made.
   * @throws Fault `rate.limited`
   */
  async requireSecret({ company }: Caller): Promise<void> {
    const limit = { name: 'kept-secrets', ...perDay(this.config.limits.keptReplyKib / SHARE) };
    const key = `secrets:${company.toHexString()}`;
    const { allowed, retryAfterMs } = await this.limiter.take(key, limit, SECRET_KIB);
    if (allowed) return;
    const message = 'Too many keys were made under an Idempotency-Key in a day';
    throw rateLimited(message, limit, retryAfterMs);
  }
}

function perDay(most: number): { readonly perSecond: number; readonly burst: number } {
  const burst = Math.ceil(most);
  return { perSecond: burst / DAY_SECONDS, burst };
}

/** Those that share a limit, with the part of it that each may take; a user comes before its company. */
function sharesOf({ company, user }: Caller): (readonly [of: string, part: number])[] {
  const all = [company.toHexString(), 1] as const;
  return user === null ? [all] : [[user.toHexString(), SHARE], all];
}

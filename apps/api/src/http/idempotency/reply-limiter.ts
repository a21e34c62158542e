import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, RateLimiter, type Config } from '@commerce/platform';
import type { Id } from '@commerce/records';

const DAY_SECONDS = 86_400;
const KIB = 1024;

/** How much of the replies to requests with an Idempotency-Key each company may have kept in a day. */
@Injectable()
export class ReplyLimiter {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
    private readonly limiter: RateLimiter,
  ) {}

  /** Takes the room for a reply; false where the company has too little left. */
  async takes(company: Id, body: string): Promise<boolean> {
    const burst = this.config.limits.keptReplyKib;
    const rule = { perSecond: burst / DAY_SECONDS, burst };
    const kib = Math.ceil(Buffer.byteLength(body) / KIB);
    return (await this.limiter.take(`replies:${company.toHexString()}`, rule, kib)).allowed;
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { CONFIG, rateLimited, type Config } from '@commerce/platform';
import { type Id } from '@commerce/records';

const RETRY_AFTER_MS = 1000;

/** Limits the number of concurrent uploads, so that slow or many uploads leave room for other requests. */
@Injectable()
export class UploadLimiter {
  private running = 0;
  private readonly byCompany = new Map<string, number>();

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'images'>) {}

  /**
   * @throws Fault `rate.limited` when the company has too many concurrent uploads, `service.overloaded` when the
   * process has
   */
  async during<T>(company: Id, read: () => Promise<T>): Promise<T> {
    const { uploads, uploadsPerCompany } = this.config.images;
    const key = company.toHexString();
    const own = this.byCompany.get(key) ?? 0;
    if (own >= uploadsPerCompany) throw tooMany(uploadsPerCompany);
    if (this.running >= uploads) throw overloaded();
    this.running += 1;
    this.byCompany.set(key, own + 1);
    try {
      return await read();
    } finally {
      this.running -= 1;
      const left = (this.byCompany.get(key) ?? 1) - 1;
      if (left === 0) this.byCompany.delete(key);
      else this.byCompany.set(key, left);
    }
  }
}

function tooMany(burst: number): Error {
  const message = 'Too many images are being uploaded at once; try again';
  return rateLimited(message, { name: 'uploads', burst, perSecond: 0 }, RETRY_AFTER_MS);
}

function overloaded(): Error {
  const message = 'Too many images are being uploaded; try again';
  return fault('service.overloaded', message, { retry_after_ms: RETRY_AFTER_MS });
}

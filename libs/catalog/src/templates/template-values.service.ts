import { Injectable } from '@nestjs/common';
import { Log, Sweeps, SystemClock, type Id } from '@commerce/platform';

import { ProductStore } from '../products/product.store.js';
import type { TemplateRecord } from './template.record.js';
import { TemplateStore } from './template.store.js';

const BATCH = 500;
/** A request looks for values of a deleted template no longer than this; the sweep goes on with it. */
const REQUEST_MS = 2_000;
const SWEEP_MS = 10_000;
const SWEPT_AT_ONCE = 20;
const LAST_WRITE_MS = 5 * 60_000;

/**
 * Until when values of a template that is deleted `now` must be looked for: a request that read the template just
 * before may write a value of it just after. None takes that long.
 */
export function lastWriteOf(now: Date): Date {
  return new Date(now.getTime() + LAST_WRITE_MS);
}

/** Takes the values of deleted templates off products. It can die anywhere: a sweep goes on from what is left. */
@Injectable()
export class TemplateValues {
  constructor(
    private readonly store: TemplateStore,
    private readonly products: ProductStore,
    private readonly clock: SystemClock,
    private readonly log: Log,
  ) {}

  /** For the request that deleted the template, and that has no part in what becomes of the values. */
  async unset(template: TemplateRecord): Promise<void> {
    try {
      await this.drain(template.company, template._id, REQUEST_MS);
    } catch (error) {
      this.log.warn({ error }, 'Values of a deleted template are left to the sweep');
    }
  }

  /** Goes on where the request that deleted a template did not come to the end. */
  @Sweeps('template-values')
  async sweep(): Promise<void> {
    for (const template of await this.store.leaving(SWEPT_AT_ONCE)) {
      const began = this.clock.now();
      const done = await this.drain(template.company, template._id, SWEEP_MS);
      if (done && began >= template.unset_until) await this.store.left(template);
    }
  }

  /** Batch by batch; false when time ran out before the last. */
  private async drain(company: Id, template: Id, forMs: number): Promise<boolean> {
    const end = this.clock.now().getTime() + forMs;
    for (;;) {
      const now = this.clock.now();
      if (now.getTime() > end) return false;
      if ((await this.products.unsetAttributes(company, template, BATCH, now)) === 0) return true;
    }
  }
}

import { Injectable } from '@nestjs/common';
import { Sweeps } from '@commerce/jobs';
import { Log, SystemClock } from '@commerce/platform';
import { type Id } from '@commerce/records';

import type { TemplateRecord } from './template.record.js';
import { TemplateStore } from './template.store.js';
import { TemplateValueStore } from './template-value.store.js';

const BATCH = 500;
/** Time in which the request that deletes a template removes its values; the sweep does the rest. */
const REQUEST_MS = 2_000;
const SWEEP_MS = 10_000;
const TEMPLATES_PER_SWEEP = 20;
const LAST_WRITE_MS = 5 * 60_000;

/**
 * The end of possible writes of values of a template that is deleted `now`: a request that read the template just
 * before may write a value just after. No request takes that long.
 */
export function lastPossibleWrite(now: Date): Date {
  return new Date(now.getTime() + LAST_WRITE_MS);
}

/** Removes the values of deleted templates. It may be interrupted anywhere: a sweep continues. */
@Injectable()
export class TemplateValueRemover {
  constructor(
    private readonly store: TemplateStore,
    private readonly values: TemplateValueStore,
    private readonly clock: SystemClock,
    private readonly log: Log,
  ) {}

  /** Removes values for the request that deleted the template, which succeeds even if the removal fails. */
  async remove(template: TemplateRecord): Promise<void> {
    try {
      await this.drain(template.company, template._id, REQUEST_MS);
    } catch (error) {
      this.log.warn({ error }, 'Values of a deleted template are left to the sweep');
    }
  }

  /** Continues where the request that deleted a template ran out of time. */
  @Sweeps('template-values', 10)
  async sweep(): Promise<void> {
    for (const template of await this.store.withValuesToRemove(TEMPLATES_PER_SWEEP)) {
      const began = this.clock.now();
      const done = await this.drain(template.company, template._id, SWEEP_MS);
      if (done && began >= template.unset_until) await this.store.valuesRemoved(template);
    }
  }

  /** Works in batches; returns false when time ran out before the last one. */
  private async drain(company: Id, template: Id, forMs: number): Promise<boolean> {
    const end = this.clock.now().getTime() + forMs;
    for (;;) {
      const now = this.clock.now();
      if (now.getTime() > end) return false;
      if ((await this.values.unsetAttributes(company, template, BATCH, now)) === 0) return true;
    }
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, Kicker, SystemClock, type Config, type Id } from '@commerce/platform';

import { Errands } from './errands.service.js';
import { PAYMENT_CHECKS } from './payment.jobs.js';
import { PaymentStore } from './payment.store.js';

/** How many due payments one pass looks at. */
const BATCH = 200;

/** Finishes what was left open: by a process that died, or by a provider that did not answer. */
@Injectable()
export class Janitor {
  constructor(
    private readonly store: PaymentStore,
    private readonly errands: Errands,
    private readonly kicker: Kicker,
    private readonly clock: SystemClock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'leaseMs'>,
  ) {}

  /** Finds what is due and hands it out as jobs; without a queue it does the work itself. */
  async sweep(): Promise<number> {
    const due = await this.store.due(this.clock.now(), BATCH);
    if (due.length === 0) return 0;
    const hints = due.map((id) => ({ data: { ids: [id.toHexString()] }, id: `pay-${id.toHexString()}` }));
    const taken = await this.kicker.kick(PAYMENT_CHECKS, ...hints);
    if (!taken) for (const id of shuffled(due)) await this.check(id);
    return due.length;
  }

  /** Looks at one payment, unless somebody else took it or it is not due any more. */
  async check(id: Id): Promise<void> {
    const now = this.clock.now();
    const company = await this.store.claim(id, now, new Date(now.getTime() + this.config.leaseMs));
    if (company === null) return;
    await this.errands.run(await this.store.in(company).get(id), 'again');
  }
}

/** Workers that go through the same list in the same order would all want the same row at the same time. */
function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((one) => ({ one, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

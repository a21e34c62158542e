import { Injectable } from '@nestjs/common';
import { JobQueue, Log, type Id } from '@commerce/platform';

import { PaymentProcessor } from './payment-processor.js';
import { PaymentClock } from './payment-clock.js';
import { PAYMENT_CHECKS } from './payment.jobs.js';
import { isOpen } from '../payments/payment.rules.js';
import { PaymentStore } from '../payments/payment.store.js';

/** How many due payments one pass looks at. */
const BATCH = 200;

/** How long a payment rests that could not be looked after. */
const AFTER_ERROR_MS = 60_000;

/** Finishes what was left open: by a process that died, or by a provider that did not answer. */
@Injectable()
export class Reconciler {
  constructor(
    private readonly store: PaymentStore,
    private readonly errands: PaymentProcessor,
    private readonly jobs: JobQueue,
    private readonly clocks: PaymentClock,
    private readonly log: Log,
  ) {}

  /**
   * Finds what is due and hands it out as jobs; without a queue it does the work itself. Answers for how many
   * seconds the first has been due.
   */
  async sweep(): Promise<number> {
    const now = this.clocks.real();
    const due = await this.store.due(now, BATCH);
    const [first] = due;
    if (first === undefined) return 0;
    const hints = due.map(({ _id }) => ({
      data: { ids: [_id.toHexString()] },
      id: `pay-${_id.toHexString()}`,
    }));
    const taken = await this.jobs.add(PAYMENT_CHECKS, ...hints);
    if (!taken) for (const { _id } of shuffled(due)) await this.check(_id);
    return (now.getTime() - first.check_at.getTime()) / 1000;
  }

  /**
   * Looks at one payment, unless somebody else took it or it is not due any more. What goes wrong with it is logged
   * and tried again after a while; it keeps no other payment from being looked at.
   */
  async check(id: Id): Promise<void> {
    const now = this.clocks.real();
    const until = this.clocks.leaseEnd();
    const company = await this.store.claim(id, now, until);
    if (company === null) return;
    try {
      const payment = await this.errands.run(await this.store.in(company).get(id), 'again');
      if (!isOpen(payment)) await this.store.moveCheck(id, until, null);
    } catch (error) {
      this.log.error({ error, payment: id.toHexString() }, 'A payment could not be looked after');
      await this.store.moveCheck(id, until, new Date(this.clocks.real().getTime() + AFTER_ERROR_MS));
    }
  }
}

/** Workers that go through the same list in the same order would all want the same row at the same time. */
function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((one) => ({ one, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

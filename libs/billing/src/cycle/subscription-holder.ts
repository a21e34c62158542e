import { Injectable } from '@nestjs/common';
import type { Instants } from '@commerce/identity';
import { isFault } from '@commerce/kernel';
import { UnitsOfWork } from '@commerce/data';
import { Log } from '@commerce/platform';

import type { Held } from '../subscription-record/held.js';
import { writeChange } from '../subscriptions/subscription-change.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { MAX_ERRORS } from './holding.js';

/** Puts billing on hold for subscriptions that a person should look at first. */
@Injectable()
export class SubscriptionHolder {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly units: UnitsOfWork,
    private readonly log: Log,
  ) {}

  /**
   * Holds a subscription until it is released.
   * @throws Fault `record.conflict` when another writer was faster
   */
  async hold(
    before: SubscriptionRecord,
    held: Held,
    instants: Instants,
    failures = 0,
  ): Promise<SubscriptionRecord> {
    const work = this.units.begin(before.company, instants.business);
    const after = writeChange(work, this.store, before, instants, {
      changes: { held, failures },
      event: null,
    });
    await work.commit();
    this.log.error({ ...named(before), ...held }, 'A subscription is held; it goes on when it is released');
    return after;
  }

  /** Records an unexpected error: the subscription is tried again later, and put on hold after too many in a row. */
  async noteFailure(before: SubscriptionRecord, error: unknown, instants: Instants): Promise<void> {
    const failures = before.failures + 1;
    this.log.error({ error, ...named(before), failures }, 'A subscription could not be billed');
    // Leaves the head of the queue first, even if the next steps fail.
    await this.store.noteFailure(before, instants.real);
    if (failures < MAX_ERRORS) return;
    try {
      await this.hold(before, { reason: 'error', since: instants.real, periods: 0 }, instants, failures);
    } catch (conflict) {
      if (!isFault(conflict, 'record.conflict')) throw conflict;
    }
  }
}

function named({ _id, company }: SubscriptionRecord): { subscription: string; company: string } {
  return { subscription: _id.toHexString(), company: company.toHexString() };
}

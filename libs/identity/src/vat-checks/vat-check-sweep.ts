import { Injectable } from '@nestjs/common';
import { DatabaseClock, UnitsOfWork } from '@commerce/data';
import { Sweeps } from '@commerce/jobs';
import pMap from 'p-map';

import { BusinessClock } from '../test-clocks/business-clock.js';
import type { UserRecord } from '../users/user.record.js';
import { UserStore, type UserKey } from '../users/user.store.js';
import { VatChecker } from './vat-checker.js';
import type { ViesAnswer } from './vies-client.js';

/** Users checked in one pass, and requests at a time. */
const PER_PASS = 50;
const CONCURRENCY = 4;

/** The first wait after an answer that failed, and the longest one. */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 6 * 3_600_000;
/** About a month of tries, after which an admin decides. */
const MAX_TRIES = 120;

/** Asks VIES about the VAT ids that users gave themselves. Does nothing where VIES_URL is not set. */
@Injectable()
export class VatCheckSweep {
  constructor(
    private readonly users: UserStore,
    private readonly checker: VatChecker,
    private readonly units: UnitsOfWork,
    private readonly clock: DatabaseClock,
    private readonly time: BusinessClock,
  ) {}

  @Sweeps('vat-checks', 5)
  async sweep(): Promise<void> {
    if (!this.checker.isConfigured) return;
    const due = await this.users.vatCheckDue(this.clock.read(), PER_PASS);
    await pMap(due, (key) => this.check(key), { concurrency: CONCURRENCY, stopOnError: false });
  }

  private async check({ company, _id }: UserKey): Promise<void> {
    const user = await this.users.in(company).find(_id, { deleted: true });
    if (user !== null) await this.write(user, await this.checker.ask(user));
  }

  /** Writes the answer, unless the user has given another VAT id meanwhile. */
  private async write(
    { company, _id, billing: asked }: UserRecord,
    answer: ViesAnswer | null,
  ): Promise<void> {
    const at = this.clock.read();
    await this.units.change(
      this.users.in(company),
      _id,
      (before) => {
        const { billing } = before;
        if (before.vat_check_due === null || billing?.vat_id !== asked?.vat_id) return null;
        if (answer?.kind === 'unavailable' && before.vat_check_tries < MAX_TRIES) {
          const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** before.vat_check_tries);
          const vat_check_due = new Date(at.getTime() + wait);
          return { changes: { vat_check_due, vat_check_tries: before.vat_check_tries + 1 } };
        }
        const done = { vat_check_due: null, vat_check_tries: 0 };
        if (answer?.kind !== 'valid' || billing === null) return { changes: done };
        const vat_id_verified = { at, reference: answer.reference };
        const billing_unconfirmed = before.billing_unconfirmed.filter((field) => field !== 'vat_id');
        const changes = { ...done, billing: { ...billing, vat_id_verified }, billing_unconfirmed };
        return { changes, event: 'user.updated' as const };
      },
      { now: ({ test_clock }) => this.time.now(company, test_clock) },
    );
  }
}

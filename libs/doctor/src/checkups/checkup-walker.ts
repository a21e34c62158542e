import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DatabaseClock } from '@commerce/data';
import { CONFIG, Log, type Config } from '@commerce/platform';
import type { Id } from '@commerce/records';

import type { Check } from '../checks/check.js';
import { CHECKS } from '../checks/checks.js';
import { Walk } from '../checks/walk.js';
import { CheckupReport } from './checkup-report.js';
import type { Incomplete } from './checkup.record.js';
import { CheckupStore, type LeasedCheckup } from './checkup.store.js';

/** A checkup that workers have begun this often without an end is given up. */
const MAX_LEASES = 3;

/** After an error it is tried again after this time. */
const AGAIN_MS = 10_000;

/** The longest wait that a timer takes. */
const LONGEST_MS = 2 ** 31 - 1;

/** Why a walk ends before its last record. */
class WalkEnd extends Error {
  constructor(readonly why: 'deadline' | 'lost' | 'stopping') {
    super(`a checkup ended early: ${why}`);
  }
}

/**
 * Walks over the records of a company, with a lease that it renews: when the worker dies, another one starts over.
 * Nothing is changed on the way but the checkup itself, so a walk may be repeated at any time.
 */
@Injectable()
export class CheckupWalker implements OnModuleDestroy {
  private readonly running = new Set<AbortController>();

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'leaseMs' | 'checkupMs'>,
    @Inject(CHECKS) private readonly checks: readonly Check[],
    private readonly store: CheckupStore,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
  ) {}

  /** A worker that ends leaves the walk to another one. */
  onModuleDestroy(): void {
    for (const controller of this.running) controller.abort(new WalkEnd('stopping'));
  }

  /** Walks, if the checkup of the company is due. */
  async run(company: Id): Promise<void> {
    const leased = await this.store.lease(company);
    if (leased === null) return;
    if (leased.begun > MAX_LEASES) return this.finish(leased, 'interrupted');
    const controller = new AbortController();
    const walk = new Walk(company, this.clock.read(), controller.signal, true);
    const report = new CheckupReport(walk);
    const end = (): void => controller.abort(new WalkEnd('deadline'));
    const deadline = setTimeout(end, Math.min(this.config.checkupMs, LONGEST_MS));
    const renewal = this.renewing(leased, report, controller);
    this.running.add(controller);
    try {
      for (const check of this.checks) for await (const finding of check.check(walk)) report.add(finding);
      await this.finish(leased, null, report);
    } catch (error) {
      await this.endEarly(leased, report, error);
    } finally {
      clearTimeout(deadline);
      clearInterval(renewal);
      this.running.delete(controller);
    }
  }

  /** Renews the lease again and again, and shows how far the walk is. */
  private renewing(leased: LeasedCheckup, report: CheckupReport, walk: AbortController): NodeJS.Timeout {
    const { leaseMs } = this.config;
    let renewed = performance.now();
    const renew = async (): Promise<void> => {
      const at = performance.now();
      if (await this.store.renew(leased, report.seen)) renewed = at;
      else walk.abort(new WalkEnd('lost'));
    };
    return setInterval(() => {
      renew().catch((error: unknown) => {
        this.log.warn({ error }, 'The lease of a checkup could not be renewed');
        if (performance.now() - renewed > leaseMs) walk.abort(new WalkEnd('lost'));
      });
    }, leaseMs / 3);
  }

  private async endEarly(leased: LeasedCheckup, report: CheckupReport, error: unknown): Promise<void> {
    const why = error instanceof WalkEnd ? error.why : 'failed';
    switch (why) {
      case 'lost':
        return;
      case 'stopping':
        return this.store.release(leased, this.clock.read(), false);
      case 'deadline':
        return this.finish(leased, 'deadline', report);
      case 'failed':
        this.log.warn({ error, company: leased.company.toHexString() }, 'A checkup failed');
        if (leased.begun >= MAX_LEASES) return this.finish(leased, 'failed', report);
        return this.store.release(leased, this.later(AGAIN_MS), true);
    }
  }

  private async finish(
    leased: LeasedCheckup,
    incomplete: Incomplete | null,
    report: CheckupReport | null = null,
  ): Promise<void> {
    const now = this.clock.read();
    const ended = { state: 'done', finished: now, updated: now, due: null, claimed_by: null } as const;
    await this.store.write(leased, { ...report?.seen, ...ended, incomplete });
  }

  private later(ms: number): Date {
    return new Date(this.clock.read().getTime() + ms);
  }
}

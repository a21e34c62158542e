import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DAY_MS } from '@commerce/kernel';
import { DatabaseClock, groupByCompany } from '@commerce/data';
import { Sweeps } from '@commerce/jobs';
import { CONFIG, Log, spread, type Config } from '@commerce/platform';
import { idAt, type Id } from '@commerce/records';

import { DeliveryStore, type OldDelivery } from '../delivery/delivery.store.js';
import { ExpiredEventStore, type CompanyLog, type OldEvent } from '../log/expired-event.store.js';

/** Records read, and removed, at once. */
const BATCH = 500;
/** From the end of one pass to the next. */
const REST_MS = 3_600_000;

/**
 * Removes events and deliveries that are older than they are kept and settled: an event once the relay has placed it
 * and none of its deliveries is waiting, a delivery once it has ended. Their age is that of their id, the time at which
 * they were really written: on a test clock the dates of events are the clock's.
 */
@Injectable()
export class RetentionSweep implements OnModuleDestroy {
  private stopped = false;
  /** When the next pass begins, by a monotonic clock. */
  private nextPass = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'retention'>,
    private readonly events: ExpiredEventStore,
    private readonly deliveries: DeliveryStore,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
  ) {}

  /** A pass that is running ends after its batch. */
  onModuleDestroy(): void {
    this.stopped = true;
  }

  /** Called as often as every sweep, but looks only about once in an hour, and at the start. */
  @Sweeps('retention')
  async sweep(): Promise<void> {
    if (performance.now() < this.nextPass) return;
    const { eventDays, deliveryDays } = this.config.retention;
    const deliveries = deliveryDays === 0 ? 0 : await this.sweepDeliveries(await this.daysAgo(deliveryDays));
    const events = eventDays === 0 ? 0 : await this.sweepEvents(await this.daysAgo(eventDays));
    this.nextPass = performance.now() + spread(REST_MS);
    if (events + deliveries > 0) this.log.info({ events, deliveries }, 'Removed what is no longer kept');
  }

  private async sweepDeliveries(before: Date): Promise<number> {
    let removed = 0;
    let read: OldDelivery[] = [];
    do {
      read = await this.deliveries.old(read.at(-1)?._id ?? null, idAt(before), BATCH);
      // One that an operator had sent again ended later than its age tells.
      const ended = read.filter(({ status, updated }) => status !== 'PENDING' && updated < before);
      for (const [company, rows] of groupByCompany(ended)) {
        const ids = rows.map(({ _id }) => _id);
        removed += await this.deliveries.remove(company, ids);
      }
    } while (read.length === BATCH && !this.stopped);
    return removed;
  }

  private async sweepEvents(before: Date): Promise<number> {
    let removed = 0;
    for await (const log of this.events.logs()) {
      if (this.stopped) break;
      removed += await this.cutLog(log, idAt(before));
      removed += await this.removeSimulated(log.company, idAt(before));
    }
    return removed;
  }

  /** Removes the events of a log up to the first one that is still kept. */
  private async cutLog(log: CompanyLog, before: Id): Promise<number> {
    const { company } = log;
    let removed = 0;
    let rest: CompanyLog | null = log;
    while (rest !== null && !this.stopped) {
      const events: OldEvent[] = await this.events.first(rest, BATCH);
      const settled = await this.settled(company, events, before);
      const kept = events.findIndex((event) => !settled.has(event));
      const expired = kept === -1 ? events : events.slice(0, kept);
      if (expired.length > 0) await this.events.removeFirst(company, expired);
      removed += expired.length;
      rest = kept === -1 ? this.events.following(rest, expired) : null;
    }
    return removed;
  }

  private async removeSimulated(company: Id, before: Id): Promise<number> {
    let removed = 0;
    let read: OldEvent[] = [];
    do {
      read = await this.events.unplaced(company, read.at(-1)?._id ?? null, before, BATCH);
      const settled = [...(await this.settled(company, read, before))].map(({ _id }) => _id);
      if (settled.length > 0) await this.events.remove(company, settled);
      removed += settled.length;
    } while (read.length === BATCH && !this.stopped);
    return removed;
  }

  /** Those of these events that can be removed. */
  private async settled(company: Id, events: readonly OldEvent[], before: Id): Promise<Set<OldEvent>> {
    const limit = before.toHexString();
    const old = events.filter(({ _id, isPending }) => !isPending && _id.toHexString() < limit);
    if (old.length === 0) return new Set();
    const ids = old.map(({ _id }) => _id);
    const waiting = await this.deliveries.waitingEvents(company, ids);
    return new Set(old.filter(({ _id }) => !waiting.has(_id.toHexString())));
  }

  private async daysAgo(days: number): Promise<Date> {
    return new Date((await this.clock.now()).getTime() - days * DAY_MS);
  }
}

import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { RowCollection } from '@commerce/data';
import type { Collection, Connection } from 'mongoose';

/** Time for which a process caches its last read. */
const FRESH_MS = 500;

const ONLY = 'billing';

interface HoldRow {
  readonly _id: string;
  readonly since: Date;
}

/**
 * Whether new charges are on hold in the whole installation, as after a restore, when the database does not know yet
 * which charges the card provider has made.
 */
const HOLDS = new RowCollection<HoldRow>('billing_holds', { sharding: null });

@Injectable()
export class BillingHoldStore {
  private last: { readonly since: Promise<Date | null>; readonly at: number } | null = null;

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Start of the hold; null where there is none. At most half a second late. */
  since(): Promise<Date | null> {
    const at = performance.now();
    // Charges that begin almost simultaneously share one read.
    if (this.last !== null && at - this.last.at < FRESH_MS) return this.last.since;
    const reading = { since: this.read(), at };
    this.last = reading;
    reading.since.catch(() => {
      if (this.last === reading) this.last = null;
    });
    return reading.since;
  }

  private async read(): Promise<Date | null> {
    const found = await this.rows.findOne({ _id: ONLY });
    return found?.since ?? null;
  }

  /**
   * Stops new charges and returns the start of the hold. Resolves when no process of the installation begins one any
   * more.
   */
  async hold(now: Date): Promise<Date> {
    await this.rows.updateOne({ _id: ONLY }, { $setOnInsert: { since: now } }, { upsert: true });
    await new Promise((resolve) => setTimeout(resolve, 2 * FRESH_MS));
    return (await this.read()) ?? now;
  }

  /** Ends the hold; false where there was none. */
  async resume(): Promise<boolean> {
    const { deletedCount } = await this.rows.deleteOne({ _id: ONLY });
    this.last = null;
    return deletedCount > 0;
  }

  private get rows(): Collection<HoldRow> {
    return HOLDS.in(this.connection);
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { DatabaseClock, LeasedRows, Leases, RowCollection, engineOf, type Lease } from '@commerce/data';
import { CONFIG, type Config } from '@commerce/platform';
import type { Collection, Connection } from 'mongoose';

/** A worker that was killed sweeps no more, and another begins, after this time or a share of the setting LEASE_MS. */
const LONGEST_MS = 10_000;
const SHARE = 0.4;
/** The holder renews the lease after this share of its time. */
const RENEWED_AFTER = 0.5;
/** A waiting worker reads the row this much later than the lease ends. */
const AFTER_END_MS = 20;

const ONLY = 'sweeps';

interface SweepLeaseRow {
  readonly _id: string;
  readonly until: Date;
  readonly held_by: string | null;
  /** The sweeps with which the holder needs help. */
  readonly shared: readonly string[];
}

const LEASES = new RowCollection<SweepLeaseRow>('sweep_leases', { sharding: null });

/** The lease of the one worker that sweeps. The others read its row about once in the time of a lease. */
@Injectable()
export class SweepLeaseStore {
  readonly durationMs: number;
  private readonly rows: LeasedRows;
  private readonly times: number;
  private lease: Lease | null = null;
  private sharedSweeps: readonly string[] = [];

  constructor(
    @InjectConnection() private readonly connection: Connection,
    @Inject(CONFIG) config: Pick<Config, 'leaseMs'>,
    private readonly leases: Leases,
    private readonly clock: DatabaseClock,
  ) {
    this.durationMs = Math.min(LONGEST_MS, SHARE * config.leaseMs);
    this.times = this.durationMs / config.leaseMs;
    const place = { collection: this.collection as unknown as Collection, engine: engineOf(connection) };
    this.rows = new LeasedRows(place, { until: 'until', name: 'held_by' });
  }

  /** Whether this worker sweeps. It may be wrong for a moment, as all sweeps may run twice. */
  get isHeld(): boolean {
    return this.lease !== null;
  }

  /** The sweeps that all workers run, as this worker last read or wrote. */
  get shared(): readonly string[] {
    return this.sharedSweeps;
  }

  /**
   * Renews the lease, or takes it once it has ended. Resolves to the milliseconds until the next call.
   * @param shared the sweeps that all workers are to run, for the case that this worker holds the lease
   */
  async hold(shared: readonly string[]): Promise<number> {
    if (this.lease !== null && !(await this.renew(this.lease, shared))) this.lease = null;
    if (this.lease === null) return this.takeOrWait();
    this.sharedSweeps = shared;
    return this.durationMs * RENEWED_AFTER;
  }

  /** Gives the lease back, so that the next worker that reads the row takes it. */
  async release(): Promise<void> {
    const { lease } = this;
    this.lease = null;
    if (lease === null) return;
    await this.rows.write(ONLY, lease, { set: { until: this.clock.read(), held_by: null, shared: [] } });
  }

  private renew(lease: Lease, shared: readonly string[]): Promise<boolean> {
    const { until } = this.leases.begin(this.clock.read(), this.times);
    return this.rows.write(ONLY, lease, { set: { until, shared } });
  }

  private async takeOrWait(): Promise<number> {
    const row = await this.read();
    this.sharedSweeps = row.shared;
    const lease = this.leases.begin(await this.clock.now(), this.times);
    const rest = row.until.getTime() - lease.at.getTime();
    if (rest > 0) return Math.min(rest + AFTER_END_MS, this.durationMs);
    if ((await this.rows.take(ONLY, lease)) === null) return this.durationMs;
    this.lease = lease;
    return this.durationMs * RENEWED_AFTER;
  }

  private async read(): Promise<SweepLeaseRow> {
    const row = await this.collection.findOne({ _id: ONLY });
    if (row !== null) return row;
    const free = { until: new Date(0), held_by: null, shared: [] };
    await this.collection.updateOne({ _id: ONLY }, { $setOnInsert: free }, { upsert: true });
    return { _id: ONLY, ...free };
  }

  private get collection(): Collection<SweepLeaseRow> {
    return LEASES.in(this.connection);
  }
}

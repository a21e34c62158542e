import {
  isDeleted,
  optionsOf,
  sameId,
  type CountedSize,
  type Id,
  type OwnedRecord,
  type RecordType,
} from '@commerce/records';
import { mongo } from 'mongoose';

import type { Added, CustomerUsageStore } from './customer-usage.store.js';
import type { PendingWrite } from './pending-writes.js';

const NOTHING: Added = { records: 0, bytes: 0, logged: 0 };

/**
 * What one unit of work adds to the usage of customers, and takes from it. A customer's own requests count, with the
 * events and audit entries that they cause; those of admins do not, but a record that an admin deletes counts no longer.
 */
export class UsageChanges {
  private readonly totals = new Map<string, Added & { readonly customer: Id }>();
  private readonly beside = new Map<string, () => number>();

  /** @param acting the customer who makes the request; null in all other work */
  constructor(
    private readonly quotas: CustomerUsageStore,
    private readonly company: Id,
    private readonly acting: Id | null,
  ) {}

  /** Whether nothing counts, whatever the commit adds. */
  get isEmpty(): boolean {
    return this.totals.size === 0 && this.acting === null;
  }

  /** Counts rows that the customer's request adds to the logs. */
  logged(rows: readonly object[]): void {
    if (this.acting === null) return;
    const logged = rows.reduce<number>((sum, row) => sum + bytesOf(row), 0);
    this.add(this.acting, { ...NOTHING, logged });
  }

  /** Notes the bytes that the commit stores beside a record; they are asked for only where the record counts. */
  stores(record: Id, bytes: () => number): void {
    this.beside.set(record.toHexString(), bytes);
  }

  /** Counts a new record. Returns the size that it counts for; undefined where it does not count. */
  inserted<R extends OwnedRecord>(type: RecordType<R>, record: R, values: object): CountedSize | undefined {
    const owner = ownerOf(type, record);
    if (optionsOf(type).counted === undefined || owner === null || !sameId(owner, this.acting))
      return undefined;
    const size = { own: bytesOf(values), beside: this.besideOf(record) ?? 0 };
    this.add(owner, { ...NOTHING, records: 1, bytes: size.own + size.beside });
    return size;
  }

  /** Counts a change. Returns the size that the record then counts for. */
  changed<R extends OwnedRecord>(type: RecordType<R>, before: R, after: R): CountedSize | undefined {
    const [size, owner] = [before.sys.counted, ownerOf(type, before)];
    if (optionsOf(type).owner === undefined && this.acting !== null) {
      this.add(this.acting, { ...NOTHING, logged: Math.max(0, growth(type, before, after)) });
    }
    if (size === undefined || owner === null) return undefined;
    const isOwn = sameId(owner, this.acting);
    const isGone = isDeleted(type, after) && !isDeleted(type, before);
    // A record that its user deletes stays stored, so it still counts.
    if (!sameId(owner, ownerOf(type, after)) || (isGone && !isOwn)) {
      this.add(owner, { ...NOTHING, records: -1, bytes: -size.own - size.beside });
      return undefined;
    }
    if (!isOwn) return size;
    const own = size.own + growth(type, before, after);
    const beside = this.besideOf(before) ?? size.beside;
    this.add(owner, { ...NOTHING, bytes: own + beside - size.own - size.beside });
    return { own, beside };
  }

  async writes(): Promise<PendingWrite[]> {
    const isChanged = ({ records, bytes, logged }: Added): boolean =>
      records !== 0 || bytes !== 0 || logged !== 0;
    const changed = [...this.totals.values()].filter(isChanged);
    return Promise.all(
      changed.map(async ({ customer, ...total }) => ({
        kind: 'row' as const,
        row: await this.quotas.addition(this.company, customer, total),
      })),
    );
  }

  private besideOf({ _id }: OwnedRecord): number | undefined {
    return this.beside.get(_id.toHexString())?.();
  }

  private add(customer: Id, { records, bytes, logged }: Added): void {
    const key = customer.toHexString();
    const before = this.totals.get(key) ?? NOTHING;
    this.totals.set(key, {
      customer,
      records: before.records + records,
      bytes: before.bytes + bytes,
      logged: before.logged + logged,
    });
  }
}

function ownerOf<R extends OwnedRecord>(type: RecordType<R>, record: R): Id | null {
  const { owner } = optionsOf(type);
  const values = record as unknown as Readonly<Record<string, Id | null>>;
  return owner === undefined ? null : (values[owner] ?? null);
}

/** The bytes that the fields which users write have grown by. */
function growth<R extends OwnedRecord>(type: RecordType<R>, before: R, after: R): number {
  const { counted = [] } = optionsOf(type);
  const written = (record: R): object =>
    Object.fromEntries(counted.map((name) => [name, (record as unknown as Record<string, unknown>)[name]]));
  return bytesOf(written(after)) - bytesOf(written(before));
}

function bytesOf(values: object): number {
  return mongo.BSON.calculateObjectSize(values);
}

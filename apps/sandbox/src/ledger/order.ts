import type { AnyRecord, Kind } from './records.js';

/** Which lists a record stands in: its account's, and those of the records it belongs to. */
function scopesOf(record: AnyRecord): string[] {
  const own = record.account;
  switch (record.kind) {
    case 'customer':
      return record.deleted ? [] : [own];
    case 'payment_method':
      return record.customer === null ? [] : [record.customer];
    case 'setup_intent':
    case 'payment_intent':
      return record.customer === null ? [own] : [own, record.customer];
    case 'charge':
      return record.customer === null
        ? [own, record.payment_intent]
        : [own, record.payment_intent, record.customer];
    case 'refund':
    case 'dispute':
      return [own, record.charge, record.payment_intent];
    case 'task':
      return record.done ? [] : [own];
    case 'behaviour':
    case 'fault_mark':
      return [];
  }
}

interface Entry {
  readonly seq: number;
  readonly id: string;
}

/** Keeps the lists of every kind in the order of creation. */
export class Order {
  private readonly lists = new Map<string, Entry[]>();

  place(before: AnyRecord | undefined, after: AnyRecord): void {
    if (before !== undefined && !movable(before, after)) return;
    const left = before === undefined ? [] : scopesOf(before);
    const entered = scopesOf(after);
    for (const scope of left) if (!entered.includes(scope)) this.remove(after.kind, scope, after.seq);
    const entry: Entry = { seq: after.seq, id: after.id };
    for (const scope of entered) if (!left.includes(scope)) this.insert(after.kind, scope, entry);
  }

  /** Ids of a scope, oldest first. */
  list(kind: Kind, scope: string): readonly Entry[] {
    return this.lists.get(`${kind} ${scope}`) ?? [];
  }

  private insert(kind: Kind, scope: string, entry: Entry): void {
    const key = `${kind} ${scope}`;
    const list = this.lists.get(key);
    if (list === undefined) this.lists.set(key, [entry]);
    else list.splice(position(list, entry.seq), 0, entry);
  }

  private remove(kind: Kind, scope: string, seq: number): void {
    const key = `${kind} ${scope}`;
    const list = this.lists.get(key);
    const at = list === undefined ? -1 : position(list, seq);
    if (list?.[at]?.seq === seq) list.splice(at, 1);
    if (list?.length === 0) this.lists.delete(key);
  }
}

/** Only these changes move a record between lists; testing them first keeps the usual change cheap. */
function movable(before: AnyRecord, after: AnyRecord): boolean {
  const of = (record: AnyRecord) => [
    'customer' in record ? record.customer : null,
    'deleted' in record && record.deleted,
    'done' in record && record.done,
  ];
  return of(before).join() !== of(after).join();
}

/** Where `seq` stands or would stand. New records are the newest, so the end is looked at first. */
export function position(list: readonly Entry[], seq: number): number {
  const last = list.at(-1);
  if (last === undefined || last.seq < seq) return list.length;
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The fields that decide an event's place in its company's log. */
export interface Placed {
  /** Rises with the time of writing; only roughly where several processes write. */
  readonly id: string;
  readonly object: string;
  readonly sequence: number;
}

/**
 * Sorts events as they enter the log: by id, but the events of one object by their sequence. Ids from different
 * processes are only as well ordered as their clocks; the sequence is exact. An object keeps the places that its
 * events would have by id; only who gets which of them changes.
 */
export function inLogOrder<T extends Placed>(events: readonly T[]): T[] {
  const byId = [...events].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const byObject = new Map<string, T[]>();
  for (const event of byId) {
    const own = byObject.get(event.object);
    if (own) own.push(event);
    else byObject.set(event.object, [event]);
  }
  for (const own of byObject.values()) own.sort((a, b) => b.sequence - a.sequence);
  return byId.map(({ object }) => byObject.get(object)?.pop()).filter((event) => event !== undefined);
}

/**
 * Cuts events that are in log order into pages within which they are also in id order. Nearly always one page holds
 * all of them, and then a single write places them all.
 */
export function logPages<T extends Placed>(events: readonly T[]): T[][] {
  const pages: T[][] = [];
  let page: T[] = [];
  for (const event of events) {
    const last = page.at(-1);
    if (last === undefined || event.id < last.id) {
      page = [];
      pages.push(page);
    }
    page.push(event);
  }
  return pages;
}

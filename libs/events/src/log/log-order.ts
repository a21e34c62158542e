/** What decides on an event's place in its company's log. */
export interface Placed {
  /** Id as text: rises with the time of writing, roughly where several processes write. */
  readonly id: string;
  readonly object: string;
  readonly sequence: number;
}

/**
 * The order in which events enter the log: by id, but the events of one object by their sequence. Ids of
 * different processes are only as ordered as their clocks; the sequence is exact. The places that an object's
 * events hold stay the same, they are only handed out among them.
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
 * Cuts events that are in the order of the log into pages, within which that is the order of their ids. One page
 * nearly always holds all of them; where it does, one write gives all of them their place.
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

/** Something that waits for its turn: the company it belongs to, and the lane (webhook) in which it waits. */
export interface Waiting {
  readonly key: string;
  readonly company: string;
  readonly lane: string;
}

/** Where the items of a lane go; several lanes may lead to one place. */
export interface Place {
  readonly name: string;
  readonly free: number;
}

export interface QueueLimits {
  readonly perLane: number;
  readonly perCompany: number;
  readonly total: number;
}

interface Lane<T> {
  readonly name: string;
  items: T[];
  /** Index of the first item; the ones before are taken. Shifting an array would move all others. */
  head: number;
}

interface Company<T> {
  readonly name: string;
  readonly lanes: Map<string, Lane<T>>;
  size: number;
}

/**
 * Gives companies their turns one after another, and within a company its lanes, so that a burst of one delays
 * nobody else. It is a hint, not a record: what it has no room for is refused and stays due in the database.
 */
export class FairQueue<T extends Waiting> {
  private readonly companies = new Map<string, Company<T>>();
  private readonly keys = new Set<string>();
  private readonly perLane = new Map<string, number>();

  constructor(
    private readonly limits: QueueLimits,
    /** How many of one lane are taken in one turn. */
    private readonly quantum: number,
  ) {}

  get size(): number {
    return this.keys.size;
  }

  get isFull(): boolean {
    return this.size >= this.limits.total;
  }

  waitingIn(lane: string): number {
    return this.perLane.get(lane) ?? 0;
  }

  /** False when there is no room for it. One that waits already is not added again. */
  add(item: T): boolean {
    if (this.keys.has(item.key)) return true;
    if (this.isFull) return false;
    const company = this.companies.get(item.company);
    if (company !== undefined && company.size >= this.limits.perCompany) return false;
    if (this.waitingIn(item.lane) >= this.limits.perLane) return false;
    const into = company ?? this.companyOf(item.company);
    laneOf(into, item.lane).items.push(item);
    into.size += 1;
    this.perLane.set(item.lane, this.waitingIn(item.lane) + 1);
    this.keys.add(item.key);
    return true;
  }

  /** Takes at most `max` items, turn by turn; `place` says where a lane leads and how many fit in there now. */
  take(max: number, place: (item: T) => Place): T[] {
    const taken: T[] = [];
    const left = new Map<string, number>();
    let progress = true;
    while (progress && taken.length < max) {
      progress = false;
      for (const company of [...this.companies.values()]) {
        const before = taken.length;
        this.turn(company, Math.min(this.quantum, max - taken.length), place, left, taken);
        if (taken.length > before) progress = true;
        if (taken.length >= max) break;
      }
    }
    return taken;
  }

  /** One company's turn: its first lane that has both items and room; the company and the lane go to the end. */
  private turn(
    company: Company<T>,
    most: number,
    place: (item: T) => Place,
    left: Map<string, number>,
    taken: T[],
  ): void {
    for (const lane of [...company.lanes.values()]) {
      const first = lane.items[lane.head];
      if (first === undefined) continue;
      const { name, free } = place(first);
      const room = left.get(name) ?? free;
      const count = Math.max(0, Math.min(most, room, lane.items.length - lane.head));
      left.set(name, room - count);
      if (count === 0) continue;
      for (const item of lane.items.slice(lane.head, lane.head + count)) {
        this.keys.delete(item.key);
        taken.push(item);
      }
      this.advance(company, lane, count);
      return;
    }
  }

  private advance(company: Company<T>, lane: Lane<T>, count: number): void {
    lane.head += count;
    company.size -= count;
    const left = this.waitingIn(lane.name) - count;
    if (left === 0) this.perLane.delete(lane.name);
    else this.perLane.set(lane.name, left);
    company.lanes.delete(lane.name);
    if (lane.head < lane.items.length) {
      if (lane.head > 1000) {
        lane.items = lane.items.slice(lane.head);
        lane.head = 0;
      }
      company.lanes.set(lane.name, lane);
    }
    this.companies.delete(company.name);
    if (company.size > 0) this.companies.set(company.name, company);
  }

  private companyOf(name: string): Company<T> {
    const found = this.companies.get(name);
    if (found) return found;
    const made: Company<T> = { name, lanes: new Map(), size: 0 };
    this.companies.set(name, made);
    return made;
  }
}

function laneOf<T>(company: Company<T>, name: string): Lane<T> {
  const found = company.lanes.get(name);
  if (found) return found;
  const made: Lane<T> = { name, items: [], head: 0 };
  company.lanes.set(name, made);
  return made;
}

import { sameId, type Id } from '@commerce/records';

/** Serves many companies a few at a time: the next ones by id after the last served. */
export class CompanyRotation {
  private lastServed: Id | null = null;

  constructor(private readonly atOnce: number) {}

  next(companies: readonly Id[]): readonly Id[] {
    const sorted = companies.toSorted((a, b) => (a.toHexString() < b.toHexString() ? -1 : 1));
    const last = sorted.findIndex((one) => sameId(one, this.lastServed));
    const next = [...sorted.slice(last + 1), ...sorted.slice(0, last + 1)].slice(0, this.atOnce);
    this.lastServed = next.at(-1) ?? null;
    return next;
  }
}

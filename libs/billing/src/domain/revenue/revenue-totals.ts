import { toMajor } from '@commerce/kernel';

/** The recurring revenue of one month in one currency; amounts in major units, each normalized to a month. */
export interface RevenueMonth {
  /** `2026-01`. */
  readonly month: string;
  readonly currency: string;
  /** At the end of the month; in the current month, now. */
  readonly recurring: number;
  readonly subscriptions: number;
  /** From subscriptions that counted for the first time. */
  readonly added: number;
  /** From subscriptions that count again, after a pause. */
  readonly resumed: number;
  readonly expanded: number;
  readonly contracted: number;
  /** From subscriptions that ended or were paused. */
  readonly lost: number;
  /** The lost share of the revenue at the start of the month; null where there was none. */
  readonly churn: number | null;
}

/** The monthly revenue of a subscription from a date on, in minor units; null while it does not count. */
export interface RevenueStep {
  readonly from: Date;
  readonly minor: number | null;
}

type Movement = 'added' | 'resumed' | 'expanded' | 'contracted' | 'lost';

/** The movements of one month in one currency, in minor units. */
type Sums = Record<Movement | 'subscriptions', number>;

/** Adds up the histories of subscriptions by month and currency. Memory depends on their number alone. */
export class RevenueTotals {
  /** By currency: first the time before the first month, then each month. */
  private readonly sums = new Map<string, Sums[]>();

  /** @param starts the starts of the months, in order, and their names */
  constructor(private readonly starts: readonly { readonly month: string; readonly from: Date }[]) {}

  add(currency: string, history: readonly RevenueStep[]): void {
    const months = this.sums.get(currency) ?? [noSums(), ...this.starts.map(noSums)];
    this.sums.set(currency, months);
    let last: number | null = null;
    let hasCounted = false;
    for (const { from, minor } of history) {
      const sums = months[this.monthOf(from)];
      if (sums !== undefined) move(sums, last, minor, hasCounted);
      hasCounted ||= minor !== null;
      last = minor;
    }
  }

  /** By month, then by currency. */
  months(): RevenueMonth[] {
    return [...this.sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([currency, [before, ...months]]) => this.monthsOf(currency, before ?? noSums(), months))
      .sort((a, b) => (a.month < b.month ? -1 : a.month > b.month ? 1 : 0));
  }

  private monthsOf(currency: string, before: Sums, months: readonly Sums[]): RevenueMonth[] {
    let minor = netOf(before);
    let { subscriptions } = before;
    return this.starts.map(({ month }, index) => {
      const sums = months[index] ?? noSums();
      const opening = minor;
      minor += netOf(sums);
      subscriptions += sums.subscriptions;
      const major = (of: Movement): number => toMajor(sums[of], currency);
      return {
        month,
        currency,
        recurring: toMajor(minor, currency),
        subscriptions,
        added: major('added'),
        resumed: major('resumed'),
        expanded: major('expanded'),
        contracted: major('contracted'),
        lost: major('lost'),
        churn: opening > 0 ? Math.round((sums.lost / opening) * 10_000) / 10_000 : null,
      };
    });
  }

  /** 0 before the first month. */
  private monthOf(instant: Date): number {
    return this.starts.findLastIndex(({ from }) => from <= instant) + 1;
  }
}

function noSums(): Sums {
  return { added: 0, resumed: 0, expanded: 0, contracted: 0, lost: 0, subscriptions: 0 };
}

function netOf({ added, resumed, expanded, contracted, lost }: Sums): number {
  return added + resumed + expanded - contracted - lost;
}

function move(sums: Sums, before: number | null, after: number | null, hasCounted: boolean): void {
  if (before === null && after === null) return;
  if (before === null) {
    sums[hasCounted ? 'resumed' : 'added'] += after ?? 0;
    sums.subscriptions += 1;
  } else if (after === null) {
    sums.lost += before;
    sums.subscriptions -= 1;
  } else if (after >= before) {
    sums.expanded += after - before;
  } else {
    sums.contracted += before - after;
  }
}

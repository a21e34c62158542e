/** The length of a subscription: forever, up to a date, for a number of price intervals, or until it is stopped. */
export type Term =
  | { readonly infinite: true; readonly ending_date: null; readonly interval_total: null }
  | { readonly infinite: false; readonly ending_date: Date; readonly interval_total: null }
  | { readonly infinite: false; readonly ending_date: null; readonly interval_total: number }
  | { readonly infinite: false; readonly ending_date: null; readonly interval_total: null };

/** The parts of a term that a request names; undefined: not named, null: removed. */
export interface TermInput {
  readonly infinite?: boolean | null;
  readonly ending_date?: Date | null;
  readonly interval_total?: number | null;
}

/** The term of a subscription that lasts until it is stopped. */
export const NO_TERM: Term = { infinite: false, ending_date: null, interval_total: null };

export function endingAt(ending_date: Date): Term {
  return { infinite: false, ending_date, interval_total: null };
}

/**
 * The term after a request. Of several parts that it names, infinite wins over ending_date, and that over
 * interval_total; the winner replaces the previous term.
 */
export function keptTerm(current: Term, input: TermInput): Term {
  const { infinite, ending_date, interval_total } = input;
  if (infinite === true) return { infinite, ending_date: null, interval_total: null };
  if (ending_date) return endingAt(ending_date);
  if (typeof interval_total === 'number') return { infinite: false, ending_date: null, interval_total };
  // Every part named here is null or false, which removes it.
  const taken =
    (current.infinite && infinite !== undefined) ||
    (current.ending_date !== null && ending_date !== undefined) ||
    (current.interval_total !== null && interval_total !== undefined);
  return taken ? NO_TERM : current;
}

export function namesTerm({ infinite, ending_date, interval_total }: TermInput): boolean {
  return infinite !== undefined || ending_date !== undefined || interval_total !== undefined;
}

export function sameTerm(a: Term, b: Term): boolean {
  return (
    a.infinite === b.infinite &&
    a.ending_date?.getTime() === b.ending_date?.getTime() &&
    a.interval_total === b.interval_total
  );
}

import { fault, type Fault } from '@commerce/kernel';

import { keptTerm, namesTerm, sameTerm, type Term, type TermInput } from '../calendar/term.js';

/** Who decided an end, a pause or a change: the customer, the company, or the service by its rules. */
export const DECIDERS = ['USER', 'ADMIN', 'SERVICE'] as const;
export type Decider = (typeof DECIDERS)[number];

/** The fields of a subscription that hold what somebody decided, and who. */
export interface Decisions {
  readonly status: string;
  readonly term: Term;
  readonly paused_at: Date | null;
  readonly pending_change: { readonly set_by: Decider } | null;
  /** The term from before a stop. */
  readonly term_before_stop: Term | null;
  readonly ending_set_by: Decider | null;
  readonly paused_by: Decider | null;
  /** While a stop is to come: who gave the term from before it. */
  readonly term_set_by: Decider | null;
  /** Whether the customer's stop withdrew a change that the company had scheduled. */
  readonly withdrew_change: boolean;
}

type Setters = Pick<Decisions, 'ending_set_by' | 'paused_by' | 'term_set_by' | 'withdrew_change'>;

/** Who has decided the end and the pause after a change. */
export function settersAfter(before: Decisions, after: Decisions, by: Decider): Setters {
  const paused_by = after.paused_at === null ? null : before.paused_at === null ? by : before.paused_by;
  const wasStopped = before.status === 'NON_RENEWING';
  if (after.status === 'NON_RENEWING') {
    if (wasStopped) return { ...settersOf(before), paused_by };
    const withdrew_change = by === 'USER' && before.pending_change?.set_by === 'ADMIN';
    return { ending_set_by: by, paused_by, term_set_by: before.ending_set_by, withdrew_change };
  }
  const isKept = sameTerm(lastingTerm(before), after.term);
  const term_set_by = wasStopped ? before.term_set_by : before.ending_set_by;
  // The end that a stop brought about stays that of whoever stopped.
  const isOver = after.status === 'CANCELLED' || after.status === 'COMPLETED';
  const ending_set_by = isOver ? (before.ending_set_by ?? by) : isKept ? term_set_by : by;
  return {
    ending_set_by: hasTerm(after.term) ? ending_set_by : null,
    paused_by,
    term_set_by: null,
    withdrew_change: false,
  };
}

function settersOf({ ending_set_by, paused_by, term_set_by, withdrew_change }: Decisions): Setters {
  return { ending_set_by, paused_by, term_set_by, withdrew_change };
}

/** The term, without the end that a stop gave it. */
function lastingTerm({ term, term_before_stop }: Decisions): Term {
  return term_before_stop ?? term;
}

/** Whether an end, or that there is none, was given. */
export function hasTerm({ infinite, ending_date, interval_total }: Term): boolean {
  return infinite || ending_date !== null || interval_total !== null;
}

/** A request, as far as it touches what somebody decided before. */
export interface Asked {
  readonly action: 'start' | 'update' | 'change' | 'withdraw';
  /** The parts of the term that it names. */
  readonly term: TermInput;
}

type Rule = (before: Decisions, asked: Asked) => boolean;

/** For each field, who set it and the requests that undo it. */
const UNDONE: readonly {
  readonly field: 'ending_set_by' | 'paused_by' | 'pending_change.set_by';
  readonly by: (before: Decisions) => Decider | null;
  readonly undoneBy: Rule;
  /** Whether a customer may undo what the service did by itself. */
  readonly service: boolean;
}[] = [
  {
    field: 'paused_by',
    by: ({ paused_by }) => paused_by,
    undoneBy: ({ status }, { action }) => action === 'start' && status === 'PAUSED',
    // A trial that ended without a card pauses: the customer goes on with a card.
    service: true,
  },
  {
    field: 'ending_set_by',
    by: ({ ending_set_by, withdrew_change }) => (withdrew_change ? 'ADMIN' : ending_set_by),
    undoneBy: ({ status }, { action }) => action === 'start' && status === 'NON_RENEWING',
    service: false,
  },
  {
    field: 'ending_set_by',
    by: ({ status, ending_set_by, term_set_by }) => (status === 'NON_RENEWING' ? term_set_by : ending_set_by),
    undoneBy: (before, { term }) => {
      const lasting = lastingTerm(before);
      return namesTerm(term) && hasTerm(lasting) && !sameTerm(keptTerm(lasting, term), lasting);
    },
    service: false,
  },
  {
    field: 'pending_change.set_by',
    by: ({ pending_change }) => pending_change?.set_by ?? null,
    undoneBy: (_before, { action }) => action === 'change' || action === 'withdraw',
    service: false,
  },
];

/**
 * Refuses a customer's request that would undo what the company or the service decided.
 * @throws Fault `subscription.set_by_company`
 */
export function requireOwnDecision(before: Decisions, asked: Asked): void {
  for (const { field, by, undoneBy, service } of UNDONE) {
    const set_by = by(before);
    const isOwn = set_by === null || set_by === 'USER' || (set_by === 'SERVICE' && service);
    if (!isOwn && undoneBy(before, asked)) throw setByCompany(field, set_by);
  }
}

function setByCompany(field: string, set_by: Decider): Fault {
  const message = 'The company decided this; only the company can change it';
  return fault('subscription.set_by_company', message, { field, set_by });
}

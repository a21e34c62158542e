import { earliest } from '../calendar/schedule.js';
import { endsOf, nextPeriod, nextPeriodCharge, runningPeriod } from '../lines/line.js';
import { dueOf } from '../lines/settlement.js';
import { hasNextPeriod, nextSettlementOf, stoppedPeriod } from '../lifecycle/periods.js';
import {
  boundsOf,
  isBilled,
  isPaused,
  isScheduled,
  lineOf,
  type BilledState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { PlanTerms } from '../pricing/terms.js';
import type { OpenPayment } from '../receivable/open-payment.js';
import { collecting } from '../receivable/open-payments.js';

/** A state and the dates in it that a decision goes by, each computed once. */
export class View {
  #settlement: Date | null | undefined;
  #end: Date | null | undefined;
  #deadline: Date | null | undefined;

  constructor(
    readonly state: SubscriptionState,
    readonly plan: PlanTerms,
  ) {}

  /** The date on which a period begins or the difference of one is taken next; null: not as things are. */
  get settlement(): Date | null {
    const { state } = this;
    if (this.#settlement === undefined) this.#settlement = isBilled(state) ? nextSettlementOf(state) : null;
    return this.#settlement;
  }

  /** The date at which the status becomes final; null while periods are left to begin. */
  get end(): Date | null {
    if (this.#end === undefined) this.#end = finishDate(this.state);
    return this.#end;
  }

  /** The date at which the payment that collects makes way for the next one; null where none follows. */
  get deadline(): Date | null {
    if (this.#deadline === undefined) {
      const open = collecting(this.state.receivable.open_payments);
      this.#deadline = open === null ? null : this.deadlineOf(open);
    }
    return this.#deadline;
  }

  /** The date at which a payment makes way for the next one; null where none follows. */
  deadlineOf(open: OpenPayment): Date | null {
    return retryDeadline(this, open);
  }
}

/** Date of the next charge of a period or of the rest of one; null when there is none, and while paused. */
export function nextChargeDate(state: SubscriptionState): Date | null {
  if (!isScheduled(state) || isPaused(state)) return null;
  const bounds = boundsOf(state);
  const dates = state.lines.flatMap((line) => {
    const running = runningPeriod(line);
    const isOpen =
      line.timing === 'advance' &&
      running !== null &&
      running.settled_until < endsOf(line, bounds, running).service;
    return [isOpen ? running.settled_until : null, nextPeriodCharge(line, bounds)];
  });
  return dates.reduce(earliest, null);
}

/** Number of periods due by `now`, if charged one after the other. */
export function periodsDue(state: SubscriptionState, now: Date): number {
  if (!isBilled(state)) return 0;
  const line = lineOf(state);
  if ((nextPeriod(line, boundsOf(state))?.start ?? now) >= now) return 0;
  const { end } = line.schedule;
  const isOver = end !== null && end <= now;
  const last = line.schedule.indexAt(isOver ? new Date(end.getTime() - 1) : now);
  return last - line.next_period + 1;
}

function retryDeadline({ state, end }: View, open: OpenPayment): Date | null {
  const bounds = boundsOf(state);
  const lines = isScheduled(state) ? state.lines : [];
  const dates = lines.map((line) => nextPeriodCharge(line, bounds));
  if (isBilled(state)) dates.push(...settlementsInTheWay(state));
  // A payment opened at the end itself has no later date to make way for.
  if (end !== null && end > open.since) dates.push(end);
  if (isPaused(state) && open.own.length > 0) {
    const inAdvance = state.lines.filter(({ timing }) => timing === 'advance');
    dates.push(...inAdvance.map((line) => runningPeriod(line)?.end ?? null));
  }
  return dates.reduce(earliest, null);
}

/** Settlements that do not wait for an open payment: in advance first charges and those of changes, in arrears all. */
function settlementsInTheWay(state: BilledState): Date[] {
  const bounds = boundsOf(state);
  return state.lines.flatMap((line) =>
    line.periods.flatMap((period) => {
      const due = dueOf(period, line.timing, endsOf(line, bounds, period));
      const isFirst = period.bills === 0 && period.books.length === 0;
      const isInTheWay = line.timing === 'arrears' || isFirst || period.credit_to !== null;
      return due !== null && isInTheWay ? [due] : [];
    }),
  );
}

/** The date at which the status becomes final; null while periods are left to begin. */
function finishDate(state: SubscriptionState): Date | null {
  if (!isBilled(state) || hasNextPeriod(state)) return null;
  if (state.status === 'ACTIVE') return lineOf(state).schedule.end;
  if (state.status !== 'NON_RENEWING') return null;
  const stopped = stoppedPeriod(state);
  return stopped === null ? state.ending_date : endsOf(lineOf(state), boundsOf(state), stopped).settled;
}

import { DAY_MS } from '../app/clock';
import type { Values } from './values';

/** A plan as its form has it; null where the form does not say the price. */
export interface PlanDraft {
  readonly total_amount: number | null;
  readonly currency: string;
  readonly interval_unit: string;
  readonly interval_count: number;
  readonly billing_interval: string;
  readonly billing_interval_count: number;
  readonly prepay: boolean;
  readonly setup_fee: number;
  readonly trial_days: number;
}

/** The draft that the form's values make with the defaults of the service; null where it cannot be read yet. */
export function draftOf(values: Values): PlanDraft | null {
  const { interval_unit: unit, currency, billing_interval, billing_interval_count: times } = values;
  const number = (name: string, standard: number): number =>
    typeof values[name] === 'number' ? values[name] : standard;
  if (typeof unit !== 'string' || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return null;
  const count = number('interval_count', 1);
  const billing = typeof billing_interval === 'string' ? billing_interval : null;
  const counts = [count, number('billing_interval_count', 1)];
  if (counts.some((one) => !Number.isInteger(one) || one < 1 || one > 60)) return null;
  return {
    total_amount: typeof values['total_amount'] === 'number' ? values['total_amount'] : null,
    currency,
    interval_unit: unit,
    interval_count: count,
    billing_interval: billing ?? unit,
    billing_interval_count: typeof times === 'number' ? times : billing === null ? count : 1,
    prepay: values['prepay'] === true,
    setup_fee: number('setup_fee', 0),
    trial_days: number('trial_days', 0),
  };
}

export interface FirstCharge {
  readonly at: number;
  /** Null where it is a part of the price. */
  readonly amount: number | null;
  /** The part of the amount that is the setup fee; the whole of it where nothing else is due. */
  readonly setup: number;
}

/** The charges of a customer who starts at `now`; of a price that is collected in parts, the dates only. */
export function firstCharges(draft: PlanDraft, now: number, many: number): FirstCharge[] {
  const { prepay, setup_fee: setup, trial_days, total_amount } = draft;
  const anchor = now + trial_days * DAY_MS;
  const isWhole =
    draft.billing_interval === draft.interval_unit && draft.billing_interval_count === draft.interval_count;
  // A start within a calendar month makes a part of one.
  const amountOf = (index: number): number | null =>
    isWhole && !(draft.interval_unit === 'MONTH_END' && index === 0) ? total_amount : null;
  const periods = Array.from({ length: many }, (_, index) => ({
    at: prepay ? boundary(draft, anchor, index) : boundary(draft, anchor, index + 1),
    amount: amountOf(index),
    setup: 0,
  }));
  if (setup === 0) return periods;
  const [first, ...rest] = periods;
  const isTogether = prepay && trial_days === 0 && first !== undefined;
  if (!isTogether) return [{ at: now, amount: setup, setup }, ...periods].slice(0, many);
  return [{ ...first, amount: first.amount === null ? null : first.amount + setup, setup }, ...rest];
}

/** The boundary `index` of the periods, counted from the first as the service does. */
function boundary(draft: PlanDraft, anchor: number, index: number): number {
  const count = index * draft.billing_interval_count;
  switch (draft.billing_interval) {
    case 'DAY':
      return anchor + count * DAY_MS;
    case 'WEEK':
      return anchor + count * 7 * DAY_MS;
    case 'ANNUAL':
      return monthsAfter(anchor, 12 * count);
    case 'MONTH_END':
      return count === 0 ? anchor : firstOfMonth(anchor, count);
    default:
      return monthsAfter(anchor, count);
  }
}

/** The same day of a later month, or the last day of a shorter one. */
function monthsAfter(anchor: number, months: number): number {
  const from = new Date(anchor);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(from.getUTCDate(), last)) + (anchor % DAY_MS);
}

function firstOfMonth(anchor: number, months: number): number {
  const from = new Date(anchor);
  return Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1);
}

import { DAY_MS, minorText, toMinor, wallTimeOf } from '@commerce/kernel';
import type { PreviewedCharge, SubscriptionRecord } from '@commerce/billing';
import type { PaymentRecord } from '@commerce/payments';

/** A past or future event. */
export interface TimelineEntry {
  readonly at: Date;
  readonly what: string;
  /** In major units. */
  readonly amount: number | null;
  readonly note: string | null;
}

/** Formats a date in a timezone: `2026-01-31 09:30`. */
export function dateText(at: Date, timezone: string): string {
  const { day, ms } = wallTimeOf(at, timezone);
  return new Date(day * DAY_MS + ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** The past and future events of a subscription, in order. The end of a stopped subscription is among them. */
export function subscriptionTimeline(
  subscription: SubscriptionRecord,
  payments: readonly PaymentRecord[],
  upcoming: readonly PreviewedCharge[],
): TimelineEntry[] {
  const dated = payments.flatMap((payment) => [charged(payment), ...refunded(payment)]);
  const ahead = upcoming.map((charge) =>
    entry(charge.date, `will be charged (${charge.kind})`, charge.amount, creditNote(charge)),
  );
  return sorted([...milestones(subscription), ...dated, ...ahead]);
}

/** The attempts to collect a payment, and its refunds. */
export function paymentTimeline(payment: PaymentRecord): TimelineEntry[] {
  const attempts = payment.attempts.map(({ at, number, status, code, message }) =>
    entry(at, `attempt ${String(number)}: ${status}`, null, message ?? code),
  );
  return sorted([entry(payment.created, 'opened', payment.amount), ...attempts, ...refunded(payment)]);
}

function milestones(subscription: SubscriptionRecord): TimelineEntry[] {
  const { created, starting_date, trial_ending_date, paused_at, resume_at, ending_date } = subscription;
  const { status, reason, updated } = subscription;
  const dates: readonly (readonly [string, Date | null])[] = [
    ['created', created],
    ['start', starting_date],
    ['end of the trial', trial_ending_date],
    ['pause', paused_at],
    ['resumes by itself', resume_at],
    ['end', ending_date],
  ];
  const known = dates.flatMap(([what, at]) => (at === null ? [] : [entry(at, what, null)]));
  return status === 'CANCELLED' ? [...known, entry(updated, 'cancelled', null, reason)] : known;
}

/** The part of a future charge that the balance pays. */
function creditNote({ credit_applied, breakdown: { currency } }: PreviewedCharge): string | null {
  if (credit_applied === 0) return null;
  return `and ${minorText(toMinor(credit_applied, currency), currency)} from the balance`;
}

function charged({ created, kind, amount, status, attempts }: PaymentRecord): TimelineEntry {
  const why = status === 'FAILED' ? (attempts.at(-1)?.code ?? null) : null;
  return entry(created, `charged (${kind}): ${status}`, amount, why);
}

function refunded({ refunds }: PaymentRecord): TimelineEntry[] {
  return refunds.map(({ at, amount, status, reason }) => entry(at, `refund: ${status}`, -amount, reason));
}

function entry(at: Date, what: string, amount: number | null, note: string | null = null): TimelineEntry {
  return { at, what, amount, note };
}

function sorted(entries: readonly TimelineEntry[]): TimelineEntry[] {
  return [...entries].sort((a, b) => a.at.getTime() - b.at.getTime());
}

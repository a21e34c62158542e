import type { Reply } from 'commerce-service-client';

export type Subscription = Reply<'/subscriptions/{id}', 'get'>;
export type Payment = Reply<'/payments/{id}', 'get'>;
export type Upcoming = Reply<'/subscriptions/{id}/preview', 'get'>['charges'][number];
export type LoggedEvent = Reply<'/events', 'get'>[number];

export type ChargeState = 'paid' | 'refunded' | 'failed' | 'auth' | 'open' | 'ahead';

/** A time range with one state. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly state: ChargeState | 'paused' | 'trial';
}

export interface Charge {
  readonly key: string;
  readonly at: number;
  readonly amount: number;
  readonly kind: Payment['kind'];
  readonly state: ChargeState;
  /** The payment of a past charge, or the preview of a future one. */
  readonly source:
    | { readonly is: 'payment'; readonly payment: Payment }
    | { readonly is: 'ahead'; readonly charge: Upcoming };
}

/** A single event in time. */
export interface Dot {
  readonly key: string;
  readonly at: number;
  readonly is: 'try' | 'auth' | 'refund' | 'event';
  readonly good: boolean;
  readonly text: string;
}

/** The content of a subscription's picture; dates in milliseconds. */
export interface Picture {
  readonly spans: readonly Span[];
  readonly charges: readonly Charge[];
  readonly dots: readonly Dot[];
}

export interface SubscriptionHistory {
  readonly subscription: Subscription;
  readonly payments: readonly Payment[];
  readonly upcoming: readonly Upcoming[];
  readonly events: readonly LoggedEvent[];
  readonly now: number;
}

/** Builds the past of a subscription from its payments and events, and its future from the preview. */
export function pictureOf(history: SubscriptionHistory): Picture {
  const { subscription, payments, upcoming, events, now } = history;
  const past = payments.map(chargeOf).sort((a, b) => a.at - b.at);
  const next = aheadOf(upcoming, now);
  const rests = pauses(events, now);
  const served = [
    ...billed(payments),
    ...next.spans.filter(({ from }) => !payments.some((one) => Number(one.period_start) === from)),
  ];
  const spans = [...trialOf(subscription), ...served.flatMap((span) => outside(span, rests)), ...rests];
  return { spans, charges: [...past, ...next.charges], dots: [...payments.flatMap(dotsOf), ...told(events)] };
}

/** Builds the picture of a preview, from `now` on. */
export function aheadOf(upcoming: readonly Upcoming[], now: number): Picture {
  const charges = upcoming.map((charge, index) => ({
    key: `ahead-${String(index)}-${String(Number(charge.date))}`,
    at: Math.max(Number(charge.date), now),
    amount: charge.amount,
    kind: charge.kind,
    state: 'ahead' as const,
    source: { is: 'ahead' as const, charge },
  }));
  return { charges, spans: servedBy(upcoming), dots: [] };
}

/** The periods of the charges; a charge for a part of a period has the dates of the whole one. */
function servedBy(upcoming: readonly Upcoming[]): Span[] {
  const found = new Map<number, Span>();
  for (const { kind, period_start, period_end } of upcoming) {
    const [from, to] = [Number(period_start), Number(period_end)];
    if (kind !== 'setup' && to > from) found.set(from, { from, to, state: 'ahead' });
  }
  return [...found.values()];
}

function chargeOf(payment: Payment): Charge {
  const { _id, created, amount, kind } = payment;
  return {
    key: _id,
    at: Number(created),
    amount,
    kind,
    state: stateOf(payment),
    source: { is: 'payment', payment },
  };
}

export function stateOf({ status }: Payment): ChargeState {
  switch (status) {
    case 'SUCCEEDED':
      return 'paid';
    case 'REFUNDED':
    case 'PARTIALLY_REFUNDED':
      return 'refunded';
    case 'FAILED':
    case 'DISPUTED':
      return 'failed';
    case 'REQUIRES_AUTH':
      return 'auth';
    case 'CREATED':
    case 'PROCESSING':
    case 'UNKNOWN':
      return 'open';
  }
}

/** The best outcome of a period counts: a later payment may have paid for it. */
const BEST: readonly ChargeState[] = ['paid', 'refunded', 'open', 'auth', 'failed'];

function billed(payments: readonly Payment[]): Span[] {
  const found = new Map<number, Span>();
  for (const payment of payments) {
    const { period_start, period_end, kind } = payment;
    if (period_start === null || period_end === null || kind === 'setup') continue;
    const span = { from: Number(period_start), to: Number(period_end), state: stateOf(payment) };
    const before = found.get(span.from)?.state as ChargeState | undefined;
    if (before === undefined || BEST.indexOf(span.state) < BEST.indexOf(before)) found.set(span.from, span);
  }
  return [...found.values()].filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from);
}

function trialOf({ starting_date, trial_ending_date }: Subscription): Span[] {
  if (starting_date === null || trial_ending_date === null) return [];
  return [{ from: Number(starting_date), to: Number(trial_ending_date), state: 'trial' }];
}

function pauses(events: readonly LoggedEvent[], now: number): Span[] {
  const spans: Span[] = [];
  let since: number | null = null;
  for (const { created, object } of events) {
    const isPaused = object['status'] === 'PAUSED';
    if (isPaused) since ??= created;
    else if (since !== null) {
      spans.push({ from: since, to: created, state: 'paused' });
      since = null;
    }
  }
  return since === null ? spans : [...spans, { from: since, to: now, state: 'paused' }];
}

/** Splits a span around the pauses of the subscription. */
function outside(span: Span, rests: readonly Span[]): Span[] {
  const rest = rests.find(({ from, to }) => from < span.to && to > span.from);
  if (rest === undefined) return [span];
  const parts = [
    { ...span, to: rest.from },
    { ...span, from: rest.to },
  ];
  return parts.filter(({ from, to }) => to > from).flatMap((part) => outside(part, rests));
}

function dotsOf({ _id, attempts, refunds }: Payment): Dot[] {
  const tries = attempts.map(({ number, at, status, code }) => ({
    key: `${_id}-try-${String(number)}`,
    at: Number(at),
    is:
      status === 'REQUIRES_AUTH' || code === 'authentication_required' ? ('auth' as const) : ('try' as const),
    good: status === 'SUCCEEDED',
    text: code ?? status,
  }));
  const back = refunds.map(({ key, at, amount, status }) => ({
    key: `${_id}-refund-${key}`,
    at: Number(at),
    is: 'refund' as const,
    good: status !== 'FAILED',
    text: String(amount),
  }));
  return [...tries, ...back];
}

function told(events: readonly LoggedEvent[]): Dot[] {
  return events.map(({ id, kind, created }) => ({
    key: id,
    at: created,
    is: 'event',
    good: true,
    text: kind,
  }));
}

import type { SendResult } from '@commerce/platform';
import type { Id } from '@commerce/records';

import type { DeliveryAttempt, DeliveryStatus } from './delivery.record.js';
import { companiesOf, type DueDelivery } from './due-delivery.js';
import type { Verdict } from './next-attempt.js';

/** An attempt was made. */
export interface Attempted {
  readonly kind: 'attempted';
  readonly due: DueDelivery;
  readonly at: Date;
  readonly result: SendResult;
  readonly verdict: Verdict;
}

/** The outcome of a leased delivery. */
export type Outcome =
  | Attempted
  /** It was not sent, and never will be. */
  | { readonly kind: 'dropped'; readonly due: DueDelivery; readonly reason: string }
  /** Workers died in all of its attempts. */
  | { readonly kind: 'used_up'; readonly due: DueDelivery; readonly at: Date }
  /** It was not sent, which costs no attempt; anybody may lease it again after `waitMs`. */
  | { readonly kind: 'released'; readonly due: DueDelivery; readonly waitMs: number };

/** One update of all deliveries that have come out alike. */
export interface OutcomeWrite {
  readonly ids: readonly Id[];
  readonly companies: readonly Id[];
  readonly generation: number;
  /** Operators, or the stages of a pipeline where each row has to work out its own values. */
  readonly update: Record<string, unknown> | Record<string, unknown>[];
}

/** Attempts kept in the record; replays could make it grow without limit. */
const KEPT_ATTEMPTS = 20;
/** Rows in one write, since each may have to find itself in the list of ids. */
const MAX_ROWS = 100;
/** Durations are rounded up to these, so that more rows are alike and fit into one write. */
const STEPS_MS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/**
 * Turns outcomes into as few writes as possible: updating many rows at once costs the database a third of updating
 * each of them. Outcomes that are alike become one write. Failures differ in the dates of their next attempts, so
 * there each row finds its own date by its position in the list of ids; successes, which are nearly all, need no such
 * pipeline, which costs the database several times as much.
 */
export function writesOf(outcomes: readonly Outcome[], now: Date): OutcomeWrite[] {
  const open = new Map<string, [Outcome, ...Outcome[]]>();
  const groups: [Outcome, ...Outcome[]][] = [];
  for (const outcome of outcomes) {
    const key = groupKey(outcome);
    let group = open.get(key);
    if (group !== undefined && group.length < MAX_ROWS) {
      group.push(outcome);
    } else {
      group = [outcome];
      open.set(key, group);
      groups.push(group);
    }
  }
  return groups.map((group) => {
    const [first] = group;
    const ids = group.map((outcome) => outcome.due.id);
    const update = isPlain(first) ? successOf(first, now) : [{ $set: changesOf(group, ids, now) }];
    const companies = companiesOf(group.map(({ due }) => due));
    return { ids, companies, generation: first.due.generation + 1, update };
  });
}

/** A success before which every attempt was recorded. */
function isPlain(outcome: Outcome): outcome is Attempted {
  const { attempt, recorded } = outcome.due;
  return outcome.kind === 'attempted' && outcome.verdict.kind === 'succeeded' && attempt === recorded;
}

function successOf({ due, at, result }: Attempted, now: Date): Record<string, unknown> {
  const duration_ms = roundedUp(result.durationMs);
  const attempt = { number: due.attempt + 1, at, ...plainAnswerOf(result), duration_ms };
  const ended = { status: 'SUCCEEDED', reason: null, next_attempt: null, claimed_by: null, updated: now };
  return {
    $set: ended,
    $inc: { generation: 1, recorded: 1 },
    $push: { attempts: { $each: [attempt], $slice: -KEPT_ATTEMPTS } },
  };
}

/** Equal for outcomes that fit into one write. */
function groupKey(outcome: Outcome): string {
  const { generation, attempt, recorded } = outcome.due;
  const common = [outcome.kind, generation, attempt - recorded];
  switch (outcome.kind) {
    case 'attempted': {
      const { verdict, result, at } = outcome;
      const dates = verdict.kind === 'again' ? [] : [at.getTime(), roundedUp(result.durationMs)];
      const number = isPlain(outcome) ? [attempt] : [];
      return JSON.stringify([...common, verdict.kind, plainAnswerOf(result), ...dates, ...number]);
    }
    case 'dropped':
      return JSON.stringify([...common, outcome.reason]);
    case 'used_up':
    case 'released':
      return JSON.stringify(common);
  }
}

type Group = readonly [Outcome, ...Outcome[]];

function changesOf(group: Group, ids: readonly Id[], now: Date): Record<string, unknown> {
  const [first] = group;
  const free = { claimed_by: null, updated: now, generation: plus('$generation', 1) };
  switch (first.kind) {
    case 'attempted': {
      const made = group as readonly Attempted[];
      const dates = made.map(({ at }) => at);
      const durations = made.map(({ result }) => roundedUp(result.durationMs));
      const attempt = {
        number: '$attempt',
        at: perRow(ids, dates),
        ...answerOf(first.result),
        duration_ms: perRow(ids, durations),
      };
      return { ...free, ...stateAfter(made, ids, now), ...recording(first.due, first.at, [attempt]) };
    }
    case 'dropped':
      return {
        ...free,
        status: 'DROPPED',
        reason: first.reason,
        next_attempt: null,
        attempt: plus('$attempt', -1),
      };
    case 'used_up':
      return {
        ...free,
        status: 'EXHAUSTED',
        reason: 'no_attempt_left',
        next_attempt: null,
        attempt: plus('$attempt', -1),
        ...recording(first.due, first.at, []),
      };
    case 'released': {
      const dates = group.map((outcome) => later(now, outcome.kind === 'released' ? outcome.waitMs : 0));
      return { ...free, next_attempt: perRow(ids, dates), attempt: plus('$attempt', -1) };
    }
  }
}

function stateAfter(
  made: readonly Attempted[],
  ids: readonly Id[],
  now: Date,
): { status: DeliveryStatus; reason: string | null; next_attempt: unknown } {
  const kind = made[0]?.verdict.kind ?? 'again';
  switch (kind) {
    case 'succeeded':
      return { status: 'SUCCEEDED', reason: null, next_attempt: null };
    case 'again': {
      const waits = made.map(({ verdict }) => (verdict.kind === 'again' ? verdict.delayMs : 0));
      const dates = waits.map((wait) => later(now, wait));
      return { status: 'PENDING', reason: null, next_attempt: perRow(ids, dates) };
    }
    case 'exhausted':
      return { status: 'EXHAUSTED', reason: 'no_attempt_left', next_attempt: null };
    case 'gone':
      return { status: 'DROPPED', reason: 'endpoint_gone', next_attempt: null };
  }
}

/** The answer to an attempt. */
function plainAnswerOf(result: SendResult): Pick<DeliveryAttempt, 'status' | 'error' | 'reply'> {
  return result.kind === 'answered'
    ? { status: result.status, error: null, reply: result.reply }
    : { status: null, error: `${result.reason}: ${result.detail}`.slice(0, 256), reply: null };
}

/** The same for a pipeline. The text is the endpoint's: without $literal the database would take `$a` for a field. */
function answerOf(result: SendResult): Record<string, unknown> {
  const { status, error, reply } = plainAnswerOf(result);
  return { status, error: { $literal: error }, reply: { $literal: reply } };
}

/** Records attempts; first those in which a worker died, which were counted but never recorded. */
function recording(due: DueDelivery, at: Date, attempts: readonly object[]): Record<string, unknown> {
  const missing = Array.from({ length: due.attempt - due.recorded }, (_, index) => ({
    number: plus('$recorded', index + 1),
    at,
    status: null,
    error: 'interrupted',
    reply: null,
    duration_ms: 0,
  }));
  const all = [...missing, ...attempts];
  return {
    recorded: plus('$recorded', all.length),
    attempts: { $slice: [{ $concatArrays: ['$attempts', all] }, -KEPT_ATTEMPTS] },
  };
}

/** The value for each row: a single one if all are equal, else by the row's position in the list of ids. */
function perRow(ids: readonly Id[], values: readonly (Date | number)[]): unknown {
  const [first] = values;
  if (values.every((value) => Number(value) === Number(first))) return first;
  return { $arrayElemAt: [values, { $indexOfArray: [ids, '$_id'] }] };
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}

function plus(field: string, number: number): object {
  return { $add: [field, number] };
}

function roundedUp(ms: number): number {
  return STEPS_MS.find((step) => ms <= step) ?? Math.ceil(ms / 1000) * 1000;
}

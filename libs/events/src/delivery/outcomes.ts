import type { Id, SendResult } from '@commerce/platform';

import type { DeliveryStatus } from './delivery.record.js';
import type { Verdict } from './next-attempt.js';
import type { DueDelivery } from './due-delivery.js';

/** It was sent. */
export interface Attempted {
  readonly kind: 'attempted';
  readonly ticket: DueDelivery;
  readonly at: Date;
  readonly result: SendResult;
  readonly verdict: Verdict;
}

const STEPS_MS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** What became of a claimed delivery. */
export type Outcome =
  | Attempted
  /** It was not sent and never will be. */
  | { readonly kind: 'dropped'; readonly ticket: DueDelivery; readonly reason: string }
  /** Its attempts were used up by workers that died in them. */
  | { readonly kind: 'used_up'; readonly ticket: DueDelivery; readonly at: Date }
  /** It was not sent; it is given back for somebody to claim from `due` on, and costs no attempt. */
  | { readonly kind: 'released'; readonly ticket: DueDelivery; readonly due: Date };

/** One change for all deliveries that it fits: an update, or the stages of one. */
export interface OutcomeWrite {
  readonly ids: readonly Id[];
  readonly generation: number;
  readonly stages: Record<string, unknown>[];
}

/** Attempts that stay in the record; replays could make it grow without end. */
const KEPT_ATTEMPTS = 20;
/** Rows in one write; each may have to look itself up in the list of all. */
const LARGEST = 100;

/**
 * Turns outcomes into few writes: an update of many rows costs the database a third of as many updates of one.
 * Deliveries that fared alike are changed by one write. Those that failed differ in the dates of their next
 * attempts; there each row finds its own by its place in the list.
 */
export function writesOf(outcomes: readonly Outcome[], now: Date): OutcomeWrite[] {
  const open = new Map<string, [Outcome, ...Outcome[]]>();
  const groups: [Outcome, ...Outcome[]][] = [];
  for (const outcome of outcomes) {
    const key = likeness(outcome);
    let group = open.get(key);
    if (group !== undefined && group.length < LARGEST) {
      group.push(outcome);
    } else {
      group = [outcome];
      open.set(key, group);
      groups.push(group);
    }
  }
  return groups.map((group) => {
    const [{ ticket }] = group;
    const ids = group.map((outcome) => outcome.ticket.id);
    return { ids, generation: ticket.generation + 1, stages: [{ $set: changesOf(group, ids, now) }] };
  });
}

/** Equal for outcomes that one write can express. */
function likeness(outcome: Outcome): string {
  const { generation, attempt, recorded } = outcome.ticket;
  const common = [outcome.kind, generation, attempt - recorded];
  switch (outcome.kind) {
    case 'attempted': {
      const { verdict, result, at } = outcome;
      const dates = verdict.kind === 'again' ? [] : [at.getTime(), rounded(result.durationMs)];
      return JSON.stringify([...common, verdict.kind, answerOf(result), ...dates]);
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
      const attempt = {
        number: '$attempt',
        at: each(
          ids,
          made.map(({ at }) => at),
        ),
        ...answerOf(first.result),
        duration_ms: each(
          ids,
          made.map(({ result }) => rounded(result.durationMs)),
        ),
      };
      return { ...free, ...stateAfter(made, ids, now), ...recording(first.ticket, first.at, [attempt]) };
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
        ...recording(first.ticket, first.at, []),
      };
    case 'released': {
      const dates = group.map((outcome) => (outcome.kind === 'released' ? outcome.due : now));
      return { ...free, next_attempt: each(ids, dates), attempt: plus('$attempt', -1) };
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
      const dates = waits.map((wait) => new Date(now.getTime() + wait));
      return { status: 'PENDING', reason: null, next_attempt: each(ids, dates) };
    }
    case 'exhausted':
      return { status: 'EXHAUSTED', reason: 'no_attempt_left', next_attempt: null };
    case 'gone':
      return { status: 'DROPPED', reason: 'endpoint_gone', next_attempt: null };
  }
}

/** What an attempt was told. It is text of the endpoint's: without $literal the database would take `$a` for a field. */
function answerOf(result: SendResult): Record<string, unknown> {
  return result.kind === 'answered'
    ? { status: result.status, error: null, reply: { $literal: result.reply } }
    : { status: null, error: { $literal: `${result.reason}: ${result.detail}`.slice(0, 256) }, reply: null };
}

/** Writes attempts down, those first that were counted and never written: a worker died in them, sent or not. */
function recording(ticket: DueDelivery, at: Date, attempts: readonly object[]): Record<string, unknown> {
  const missing = Array.from({ length: ticket.attempt - ticket.recorded }, (_, index) => ({
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

/** The value of each row: one for all where they are equal, else by the row's place in the list of ids. */
function each(ids: readonly Id[], values: readonly (Date | number)[]): unknown {
  const [first] = values;
  if (values.every((value) => Number(value) === Number(first))) return first;
  return { $arrayElemAt: [values, { $indexOfArray: [ids, '$_id'] }] };
}

function plus(field: string, number: number): object {
  return { $add: [field, number] };
}

/** The next step up: it is shown to see what is slow, and few different values let more rows be alike. */
function rounded(ms: number): number {
  return STEPS_MS.find((step) => ms <= step) ?? Math.ceil(ms / 1000) * 1000;
}

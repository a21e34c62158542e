import type { Id, SendResult } from '@commerce/platform';

import type { DeliveryAttempt, DeliveryStatus } from './delivery.record.js';
import type { Verdict } from './next-attempt.js';
import type { Ticket } from './ticket.js';

/** What became of a claimed delivery. */
export type Outcome =
  /** It was sent. */
  | {
      readonly kind: 'attempted';
      readonly ticket: Ticket;
      readonly at: Date;
      readonly result: SendResult;
      readonly verdict: Verdict;
    }
  /** It was not sent and never will be. */
  | { readonly kind: 'dropped'; readonly ticket: Ticket; readonly reason: string }
  /** Its attempts were used up by workers that died in them. */
  | { readonly kind: 'used_up'; readonly ticket: Ticket; readonly at: Date }
  /** It was not sent; it is given back for somebody to claim from `due` on, and costs no attempt. */
  | { readonly kind: 'released'; readonly ticket: Ticket; readonly due: Date };

/** One change for all deliveries that it fits. */
export interface OutcomeWrite {
  readonly ids: readonly Id[];
  readonly generation: number;
  readonly update: Record<string, Record<string, unknown>>;
}

/** Attempts that stay in the record; replays could make it grow without end. */
const KEPT_ATTEMPTS = 20;

/**
 * Turns outcomes into few writes: deliveries that fared alike are changed by one. An update of many rows costs
 * the database a third of as many updates of one row.
 */
export function writesOf(outcomes: readonly Outcome[], now: Date): OutcomeWrite[] {
  const groups = new Map<string, { ids: Id[]; generation: number; update: OutcomeWrite['update'] }>();
  for (const outcome of outcomes) {
    const generation = outcome.ticket.generation + 1;
    const update = updateOf(outcome, now);
    const key = `${String(generation)} ${JSON.stringify(update)}`;
    const group = groups.get(key);
    if (group) group.ids.push(outcome.ticket.id);
    else groups.set(key, { ids: [outcome.ticket.id], generation, update });
  }
  return [...groups.values()];
}

function updateOf(outcome: Outcome, now: Date): OutcomeWrite['update'] {
  const free = { claimed_by: null, updated: now };
  switch (outcome.kind) {
    case 'attempted':
      return attempted(outcome, { ...free, ...stateAfter(outcome.verdict, now) });
    case 'dropped':
      return {
        $set: { ...free, status: 'DROPPED', reason: outcome.reason, next_attempt: null },
        $inc: { generation: 1, attempt: -1 },
      };
    case 'used_up':
      return {
        $set: { ...free, status: 'EXHAUSTED', reason: 'no_attempt_left', next_attempt: null },
        ...recorded(interrupted(outcome.ticket, outcome.at), -1),
      };
    case 'released':
      return { $set: { ...free, next_attempt: outcome.due }, $inc: { generation: 1, attempt: -1 } };
  }
}

function stateAfter(
  verdict: Verdict,
  now: Date,
): { status: DeliveryStatus; reason: string | null; next_attempt: Date | null } {
  switch (verdict.kind) {
    case 'succeeded':
      return { status: 'SUCCEEDED', reason: null, next_attempt: null };
    case 'again':
      return { status: 'PENDING', reason: null, next_attempt: new Date(now.getTime() + verdict.delayMs) };
    case 'exhausted':
      return { status: 'EXHAUSTED', reason: 'no_attempt_left', next_attempt: null };
    case 'gone':
      return { status: 'DROPPED', reason: 'endpoint_gone', next_attempt: null };
  }
}

function attempted(
  { ticket, at, result }: Extract<Outcome, { kind: 'attempted' }>,
  $set: Record<string, unknown>,
): OutcomeWrite['update'] {
  const attempt: DeliveryAttempt = {
    number: ticket.attempt + 1,
    at,
    status: result.kind === 'answered' ? result.status : null,
    error: result.kind === 'failed' ? `${result.reason}: ${result.detail}`.slice(0, 256) : null,
    // In steps, so that deliveries that fared alike are alike.
    duration_ms: Math.ceil(result.durationMs / 10) * 10,
    reply: result.kind === 'answered' ? result.reply : null,
  };
  return { $set, ...recorded([...interrupted(ticket, at), attempt], 0) };
}

/** Attempts that were counted but never written down: a worker died in them, sent or not. */
function interrupted(ticket: Ticket, at: Date): DeliveryAttempt[] {
  const missing: DeliveryAttempt[] = [];
  for (let number = ticket.recorded + 1; number <= ticket.attempt; number += 1) {
    missing.push({ number, at, status: null, error: 'interrupted', duration_ms: 0, reply: null });
  }
  return missing;
}

function recorded(
  attempts: readonly DeliveryAttempt[],
  counted: number,
): Pick<OutcomeWrite['update'], '$inc' | '$push'> {
  return {
    $inc: { generation: 1, recorded: attempts.length, ...(counted === 0 ? {} : { attempt: counted }) },
    $push: { attempts: { $each: [...attempts], $slice: -KEPT_ATTEMPTS } },
  };
}

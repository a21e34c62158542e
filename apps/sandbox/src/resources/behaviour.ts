import { faultNamed, isFaultName, type Fault } from '../cards/outcomes.js';
import { Interruption } from '../http/refusal.js';
import type { BehaviourRecord } from '../ledger/records.js';
import type { Transaction } from '../ledger/transaction.js';

export const behaviourId = (customer: string): string => `behaviour ${customer}`;

/** What was decided to happen, by name, and where that came from. */
export interface Decided<N extends string> {
  readonly name: N;
  /** A script for the customer said so, rather than the card itself. */
  readonly scripted: boolean;
}

interface Ask<N extends string> {
  readonly script: 'next' | 'next_refunds';
  readonly customer: string | null;
  /** What happens without a script. */
  readonly otherwise: N;
  /** Tells this operation from others where no Idempotency-Key does. */
  readonly operation: string;
}

/**
 * What this operation comes to: the head of the customer's script, which is used up by it; else what stands from
 * now on (charges only); else what the card does by itself. A fault that strikes before any work is thrown here.
 */
export function decide<N extends string>(tx: Transaction, ask: Ask<N>): Decided<N> {
  const behaviour = ask.customer === null ? undefined : tx.get('behaviour', behaviourId(ask.customer));
  const head = behaviour?.[ask.script][0] as N | undefined;
  if (behaviour !== undefined && head !== undefined) {
    const shifted: BehaviourRecord = { ...behaviour, [ask.script]: behaviour[ask.script].slice(1) };
    const fault = faultNamed(head);
    if (fault?.strikes === 'before') throw new Interruption(fault.way, (fresh) => void fresh.save(shifted));
    tx.save(shifted);
    return { name: head, scripted: true };
  }
  const standing = ask.script === 'next' ? (behaviour?.from_now as N | null | undefined) : null;
  const name = standing ?? ask.otherwise;
  strikeOnce(tx, name, ask.operation);
  return { name, scripted: standing != null };
}

/** Once for each Idempotency-Key; without one, once for the operation. */
function strikeOnce(tx: Transaction, name: string, operation: string): void {
  const fault = faultNamed(name);
  if (fault?.strikes !== 'before') return;
  const { account, key } = tx.origin;
  const id = `struck ${account} ${key ?? operation}`;
  if (tx.get('fault_mark', id) !== undefined) return;
  throw new Interruption(fault.way, (fresh) => void fresh.create({ kind: 'fault_mark', id, spent: true }));
}

/** The fault that belongs to an outcome; disturbs the notices of this transaction when that is what it does. */
export function faultOf(tx: Transaction, name: string): Fault | undefined {
  const fault = isFaultName(name) ? faultNamed(name) : undefined;
  if (fault?.strikes === 'notices') {
    if (fault.how === 'repeated') tx.disturbNotices({ copies: 5 });
    if (fault.how === 'lost') tx.disturbNotices({ silent: true });
  }
  return fault;
}

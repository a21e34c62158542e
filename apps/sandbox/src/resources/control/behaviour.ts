import { faultNamed, type Fault } from '../../cards/outcomes.js';
import { Interruption } from '../../http/refusal.js';
import type { BehaviourRecord } from '../../ledger/records.js';
import type { Transaction } from '../../ledger/transaction.js';

export const behaviourId = (customer: string): string => `behaviour ${customer}`;

export const behaviourOf = (tx: Transaction, customer: string | null): BehaviourRecord | undefined =>
  customer === null ? undefined : tx.get('behaviour', behaviourId(customer));

/** The name of an outcome, and whether a script rather than the card chose it. */
export interface Decided<N extends string> {
  readonly name: N;
  readonly scripted: boolean;
}

interface Ask<N extends string> {
  readonly script: 'next' | 'next_refunds';
  readonly customer: string | null;
  /** The outcome without a script. */
  readonly otherwise: N;
  /** Tells this operation from others where no Idempotency-Key does. */
  readonly operation: string;
}

/**
 * Decides the outcome of an operation: the head of the customer's script, which is used up by it; else the standing
 * outcome (charges only); else that of the card. Throws a fault that strikes before any work.
 */
export function decide<N extends string>(tx: Transaction, ask: Ask<N>): Decided<N> {
  const behaviour = behaviourOf(tx, ask.customer);
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

/** Strikes once for each Idempotency-Key; without one, once for the operation. */
function strikeOnce(tx: Transaction, name: string, operation: string): void {
  const fault = faultNamed(name);
  if (fault?.strikes !== 'before') return;
  const { account, key } = tx.origin;
  const id = `struck ${account} ${key ?? operation}`;
  if (tx.get('fault_mark', id) !== undefined) return;
  throw new Interruption(fault.way, (fresh) => void fresh.create({ kind: 'fault_mark', id }));
}

/** The fault of an outcome, if any. A fault of notices applies to the events that this transaction adds from now on. */
export function faultOf(tx: Transaction, name: string): Fault | undefined {
  const fault = faultNamed(name);
  if (fault?.strikes === 'notices' && fault.copies !== undefined) tx.repeatNotices(fault.copies);
  return fault;
}

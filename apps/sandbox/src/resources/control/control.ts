import { CARDS } from '../../cards/cards.js';
import { OUTCOME_NAMES, REFUND_OUTCOME_NAMES } from '../../cards/outcomes.js';
import { type Call, inPath, named, ok, type Reply, route, type Route } from '../../http/call.js';
import * as read from '../../http/params.js';
import { badParameter } from '../../http/refusal.js';
import type { BehaviourRecord, ChargeRecord } from '../../ledger/records.js';
import type { Body } from '../render.js';
import { behaviourId, behaviourOf } from './behaviour.js';
import { doTask } from './tasks.js';

type Script = Pick<BehaviourRecord, 'next' | 'from_now' | 'next_refunds' | 'minimum'>;
const NO_SCRIPT: Script = { next: [], from_now: null, next_refunds: [], minimum: null };

/** Routes that the provider does not have: they let a test script the cards, and read what was really charged. */
export const controlRoutes: readonly Route[] = [
  route('post', '/sandbox/customers/:id/behaviour', 'next times from_now next_refunds minimum', setBehaviour),
  route('get', '/sandbox/customers/:id/behaviour', '', (call) => ok(behaviour(call))),
  route('delete', '/sandbox/customers/:id/behaviour', '', (call) => save(call, NO_SCRIPT)),
  route('post', '/sandbox/settle', '', settle),
  route('get', '/sandbox/ledger', 'customer', ledgerOf),
  route('get', '/v1/balance', '', balance),
];

function behaviour(call: Call): Body & Script {
  const customer = inPath(call, 'customer').id;
  const { next, from_now, next_refunds, minimum } = behaviourOf(call.tx, customer) ?? NO_SCRIPT;
  return { object: 'sandbox.behaviour', customer, next, from_now, next_refunds, minimum };
}

function save(call: Call, script: Script): Reply {
  const customer = inPath(call, 'customer').id;
  const before = behaviourOf(call.tx, customer);
  if (before !== undefined) call.tx.save({ ...before, ...script });
  else call.tx.create({ kind: 'behaviour', id: behaviourId(customer), ...script });
  return ok(behaviour(call));
}

/** A field that is not named stays; an empty text clears it. */
function setBehaviour(call: Call): Reply {
  const { params } = call;
  const before = behaviour(call);
  const times = read.integer(params, 'times') ?? 1;
  if (times < 1 || times > 10_000) throw badParameter('times', 'times runs from 1 to 10000');
  const next = outcomes(params, 'next', OUTCOME_NAMES);
  return save(call, {
    next: next === undefined ? before.next : Array.from({ length: times }, () => next).flat(),
    from_now:
      params.from_now === undefined
        ? before.from_now
        : (outcomes(params, 'from_now', OUTCOME_NAMES)?.[0] ?? null),
    next_refunds: outcomes(params, 'next_refunds', REFUND_OUTCOME_NAMES) ?? before.next_refunds,
    minimum: params.minimum === '' ? null : (read.integer(params, 'minimum') ?? before.minimum),
  });
}

/** Names of outcomes, checked; undefined where none is given, and empty for an empty text. */
function outcomes(
  params: read.Params,
  name: string,
  allowed: readonly string[],
): readonly string[] | undefined {
  if (params[name] === '') return [];
  const names = read.list(params, name);
  if (names?.every((each) => allowed.includes(each)) !== false) return names;
  throw badParameter(name, `${name} must be of: ${allowed.join(', ')}`);
}

/** Does the tasks of this account now, so that a test need not wait. */
function settle({ tx }: Call): Reply {
  const { account, now } = tx.origin;
  const done = tx.ledger.list('task', account).filter(({ id }) => doTask(tx.ledger, id, now));
  return ok({ object: 'sandbox.settled', count: done.length });
}

/** The result of `of` for each group of charges with the same key. */
function grouped<T>(
  charges: readonly ChargeRecord[],
  key: 'currency' | 'customer',
  of: (group: readonly ChargeRecord[]) => T,
): Record<string, T> {
  const keys = new Set(charges.flatMap((charge) => charge[key] ?? []));
  const groups = [...keys].map(
    (each) => [each, of(charges.filter((charge) => charge[key] === each))] as const,
  );
  return Object.fromEntries(groups);
}
const totalsOf = (charges: readonly ChargeRecord[]) => grouped(charges, 'currency', totals);

function totals(charges: readonly ChargeRecord[]) {
  const count = (status: ChargeRecord['status']) => charges.filter((each) => each.status === status).length;
  const paid = charges.filter(({ status }) => status === 'succeeded');
  const captured = paid.reduce((sum, { amount }) => sum + amount, 0);
  const refunded = paid.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0);
  const net = captured - refunded;
  return {
    captured,
    refunded,
    net,
    charges: paid.length,
    declined: count('failed'),
    pending: count('pending'),
  };
}

/** The amounts really charged and refunded: of one customer, or of the account with each of its customers. */
function ledgerOf(call: Call): Reply {
  const { tx } = call;
  const customer = named(call, 'customer')?.id ?? null;
  const charges = tx.ledger.list('charge', customer ?? tx.origin.account);
  const ledger = { object: 'sandbox.ledger', customer, currencies: totalsOf(charges) };
  return ok(customer === null ? { ...ledger, customers: grouped(charges, 'customer', totalsOf) } : ledger);
}

function balance({ tx }: Call): Reply {
  const totals = Object.entries(totalsOf(tx.ledger.list('charge', tx.origin.account)));
  const available = totals.map(([currency, { net }]) => ({
    amount: net,
    currency,
    source_types: { card: net },
  }));
  return ok({ object: 'balance', available, livemode: false, pending: [] });
}

/** Every test card, for people at a terminal; needs no key. */
export const cardList = (): Body => ({
  object: 'list',
  data: CARDS.map(({ name, ...card }) => ({ payment_method: `pm_card_${name}`, ...card })),
});

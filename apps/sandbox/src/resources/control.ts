import { CARDS } from '../cards/cards.js';
import { OUTCOME_NAMES, REFUND_OUTCOME_NAMES } from '../cards/outcomes.js';
import { type Body, type Call, ok, type Reply, route, type Route } from '../http/call.js';
import * as read from '../http/params.js';
import { badParameter, missingInParameter, missingInPath } from '../http/refusal.js';
import type { BehaviourRecord, ChargeRecord } from '../ledger/records.js';
import { behaviourId } from './behaviour.js';
import { doTask } from './tasks.js';

/** Routes that the provider does not have: they let a test say how cards behave, and read what was really charged. */
export const controlRoutes: readonly Route[] = [
  route('post', '/sandbox/customers/:id/behaviour', 'next times from_now next_refunds minimum', setBehaviour),
  route('get', '/sandbox/customers/:id/behaviour', '', (call) =>
    ok(shownBehaviour(customerOf(call), present(call))),
  ),
  route('delete', '/sandbox/customers/:id/behaviour', '', (call) => reset(call)),
  route('post', '/sandbox/settle', '', settle),
  route('get', '/sandbox/ledger', 'customer', ledgerOf),
  route('get', '/v1/balance', '', balance),
];

function customerOf({ tx, path }: Call): string {
  const id = path.id ?? '';
  const customer = tx.get('customer', id);
  if (customer === undefined) throw missingInPath('customer', id);
  return id;
}

const present = ({ tx, path }: Call): BehaviourRecord | undefined =>
  tx.get('behaviour', behaviourId(path.id ?? ''));

const shownBehaviour = (customer: string, behaviour: BehaviourRecord | undefined): Body => ({
  object: 'sandbox.behaviour',
  customer,
  next: behaviour?.next ?? [],
  from_now: behaviour?.from_now ?? null,
  next_refunds: behaviour?.next_refunds ?? [],
  minimum: behaviour?.minimum ?? null,
});

/** Names of outcomes, checked; `times` repeats the list. */
function outcomes(
  { params }: Call,
  name: string,
  allowed: readonly string[],
  times = 1,
): string[] | undefined {
  if (params[name] === '') return [];
  const names = read.list(params, name);
  for (const each of names ?? []) knownOutcome(each, name, allowed);
  return names && Array.from({ length: times }, () => names).flat();
}

function knownOutcome(name: string, param: string, allowed: readonly string[]): string {
  if (allowed.includes(name)) return name;
  throw badParameter(param, `${param} must be of: ${allowed.join(', ')}`);
}

/** What is not named stays as it is; an empty text clears it. */
function setBehaviour(call: Call): Reply {
  const { tx, params } = call;
  const customer = customerOf(call);
  const before = present(call);
  const times = read.integer(params, 'times') ?? 1;
  if (times < 1 || times > 10_000) throw badParameter('times', 'times runs from 1 to 10000');
  const fromNow = read.replaced(params, 'from_now', before?.from_now ?? null);
  const fields = {
    next: outcomes(call, 'next', OUTCOME_NAMES, times) ?? before?.next ?? [],
    from_now: fromNow === null ? null : knownOutcome(fromNow, 'from_now', OUTCOME_NAMES),
    next_refunds: outcomes(call, 'next_refunds', REFUND_OUTCOME_NAMES) ?? before?.next_refunds ?? [],
    minimum: params['minimum'] === '' ? null : (read.integer(params, 'minimum') ?? before?.minimum ?? null),
  };
  const id = behaviourId(customer);
  const behaviour = before
    ? tx.save({ ...before, ...fields })
    : tx.create({ kind: 'behaviour', id, ...fields });
  return ok(shownBehaviour(customer, behaviour));
}

function reset(call: Call): Reply {
  const customer = customerOf(call);
  const before = present(call);
  if (before !== undefined)
    call.tx.save({ ...before, next: [], from_now: null, next_refunds: [], minimum: null });
  return ok(shownBehaviour(customer, undefined));
}

/** Lets everything late of this account happen now, so that a test need not wait. */
function settle({ tx }: Call): Reply {
  const { account, now } = tx.origin;
  const waiting = tx.ledger.list('task', account).map(({ id }) => id);
  const done = waiting.filter((id) => doTask(tx.ledger, id, now));
  return ok({ object: 'sandbox.settled', count: done.length });
}

interface Totals {
  captured: number;
  refunded: number;
  net: number;
  charges: number;
  declined: number;
  pending: number;
}
const nothing = (): Totals => ({ captured: 0, refunded: 0, net: 0, charges: 0, declined: 0, pending: 0 });

function add(totals: Totals, charge: ChargeRecord): void {
  if (charge.status === 'failed') totals.declined += 1;
  else if (charge.status === 'pending') totals.pending += 1;
  else {
    totals.charges += 1;
    totals.captured += charge.amount;
    totals.refunded += charge.amount_refunded;
    totals.net = totals.captured - totals.refunded;
  }
}

/** Totals by currency of all charges in a list. */
function totalsOf({ tx }: Call, scope: string, into: Record<string, Totals> = {}): Record<string, Totals> {
  for (const { id } of tx.ledger.list('charge', scope)) {
    const charge = tx.get('charge', id);
    if (charge !== undefined) add((into[charge.currency] ??= nothing()), charge);
  }
  return into;
}

/** What was really taken and given back: of one customer, or of the account with each of its customers. */
function ledgerOf(call: Call): Reply {
  const { tx, params } = call;
  const customer = read.filled(params, 'customer');
  if (customer !== undefined) {
    if (tx.get('customer', customer) === undefined)
      throw missingInParameter('customer', customer, 'customer');
    return ok({ object: 'sandbox.ledger', customer, currencies: totalsOf(call, customer) });
  }
  const byCustomer: Record<string, Record<string, Totals>> = {};
  for (const { id } of tx.ledger.list('charge', tx.origin.account)) {
    const charge = tx.get('charge', id);
    if (charge === undefined || charge.customer === null) continue;
    add(((byCustomer[charge.customer] ??= {})[charge.currency] ??= nothing()), charge);
  }
  const currencies = totalsOf(call, tx.origin.account);
  return ok({ object: 'sandbox.ledger', customer: null, currencies, customers: byCustomer });
}

function balance(call: Call): Reply {
  const amounts = Object.entries(totalsOf(call, call.tx.origin.account)).map(([currency, { net }]) => ({
    amount: net,
    currency,
    source_types: { card: net },
  }));
  return ok({ object: 'balance', available: amounts, livemode: false, pending: [] });
}

/** Every test card, for people at a terminal; needs no key. */
export function cardList(): Body {
  return {
    object: 'list',
    data: CARDS.map(({ name, number, brand, country, authentication, outcome }) => ({
      payment_method: `pm_card_${name}`,
      number,
      brand,
      country,
      authentication,
      outcome,
    })),
  };
}

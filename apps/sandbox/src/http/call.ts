import type { Fault } from '../cards/outcomes.js';
import type { Ledger } from '../ledger/ledger.js';
import type { AnyRecord, Kind, RecordOf } from '../ledger/records.js';
import type { Transaction } from '../ledger/transaction.js';
import { type Body, render } from '../resources/render.js';
import { filled, type Params } from './params.js';
import { missing, missingInPath, Refusal } from './refusal.js';

/** The sandbox that answers a request. */
export interface Context {
  readonly ledger: Ledger;
  readonly now: () => number;
  /** How long each request takes before its work begins. */
  readonly latencyMs: number;
  /** How long late outcomes and slow answers take. */
  readonly settleAfterMs: number;
  readonly merchant: string;
}

/** A request on its way through a resource. */
export interface Call {
  readonly tx: Transaction;
  readonly params: Params;
  /** Parts of the path, such as `id`. */
  readonly path: Readonly<Record<string, string>>;
  /** A `client` has shown an intent's secret instead of a secret key: it acts as the customer. */
  readonly caller: 'secret' | 'client';
  readonly context: Context;
}

export interface Reply {
  readonly status: number;
  readonly body: Body;
  /** The reply goes wrong on its way. */
  readonly fault?: Fault;
}

export interface Route {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  /** Known parameters; `expand` always is. */
  readonly params: ReadonlySet<string>;
  readonly handle: (call: Call) => Reply;
  /** The kind of intent whose client secret may stand in for a secret key. */
  readonly client?: 'payment_intent' | 'setup_intent';
}

/** Declares a route; `params` are names separated by spaces. With `client_secret` it is open to the intent's customer. */
export function route(method: Route['method'], path: string, params: string, handle: Route['handle']): Route {
  const names = new Set(['expand', ...params.split(' ')]);
  const intent = path.startsWith('/v1/setup_intents') ? 'setup_intent' : 'payment_intent';
  return { method, path, params: names, handle, client: names.has('client_secret') ? intent : undefined };
}

export const ok = (body: Body, fault?: Fault): Reply => ({ status: 200, body, fault });
export const shown = ({ tx }: Call, record: AnyRecord): Reply => ok(render(record, tx));

/** The record of the id in the path; 404 where there is none. */
export function inPath<K extends Kind>({ tx, path }: Call, kind: K): RecordOf[K] {
  const id = path.id ?? '';
  const record = tx.get(kind, id);
  if (record === undefined) throw missingInPath(kind, id);
  return record;
}

/** The record that a parameter names; undefined where it names none, 400 where there is no such record. */
export function named<K extends Kind>(
  { tx, params }: Pick<Call, 'tx' | 'params'>,
  kind: K,
  name: string = kind,
): RecordOf[K] | undefined {
  const id = filled(params, name);
  const record = id === undefined ? undefined : tx.get(kind, id);
  if (id !== undefined && record === undefined) throw missing(kind, id, name);
  return record;
}

/** The record's state does not allow the request. */
export function unexpectedState({ tx }: Call, record: RecordOf['payment_intent' | 'setup_intent']): Refusal {
  const { kind, status } = record;
  const message = `The ${kind} is ${status}, which does not allow this`;
  return new Refusal(
    400,
    {
      type: 'invalid_request_error',
      code: `${kind}_unexpected_state`,
      message,
      [kind]: render(record, tx),
    },
    true,
  );
}

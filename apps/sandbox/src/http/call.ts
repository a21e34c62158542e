import type { Fault } from '../cards/outcomes.js';
import type { Transaction } from '../ledger/transaction.js';
import type { Params } from './params.js';

/** A request on its way through a resource. */
export interface Call {
  readonly tx: Transaction;
  readonly params: Params;
  /** Parts of the path, such as `id`. */
  readonly path: Readonly<Record<string, string>>;
  /** `client` has shown an intent's secret instead of a secret key: it acts as the customer. */
  readonly caller: 'secret' | 'client';
  /** Address under which this sandbox is reached, for links to its pages. */
  readonly origin: string;
}

/** A reply's body: a rendered record, a list or an error. */
export type Body = Readonly<Record<string, unknown>>;

export interface Reply {
  readonly status: number;
  readonly body: Body;
  /** The reply goes wrong on its way. */
  readonly fault?: Fault;
}

export const ok = (body: Body, fault?: Fault): Reply => ({ status: 200, body, fault });

export interface Settings {
  /** How long what is late takes. */
  readonly settleAfterMs: number;
  readonly merchant: string;
}

export type Handler = (call: Call) => Reply;

export interface Route {
  readonly method: 'get' | 'post' | 'delete';
  /** `:id` and the like stand for parts of the path. */
  readonly path: string;
  /** Parameters that are known; `expand` always is. */
  readonly params: ReadonlySet<string>;
  readonly handle: Handler;
  /** The intent whose client secret may stand in for a secret key. */
  readonly client?: 'payment_intent' | 'setup_intent';
}

/** Declares a route; `params` is a list of names separated by spaces. */
export function route(
  method: Route['method'],
  path: string,
  params: string,
  handle: Handler,
  client?: Route['client'],
): Route {
  const names = params.split(' ').filter((name) => name !== '');
  return { method, path, params: new Set([...names, 'expand']), handle, client };
}

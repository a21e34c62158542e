import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { Answer } from '../ledger/ledger.js';
import { type Origin, randomText, Transaction } from '../ledger/transaction.js';
import type { Call, Context, Reply, Route } from './call.js';
import { identify } from './caller.js';
import { expand } from './expand.js';
import { onlyKnown, type Params } from './params.js';
import { badParameter, Interruption, KEY_IN_USE, KEY_MISUSED, Refusal, SERVER_ERROR } from './refusal.js';
import { goWrong, send, sendRefusal } from './send.js';

/** A request that was read. */
interface Incoming extends Pick<Call, 'params' | 'path' | 'caller'> {
  readonly origin: Omit<Origin, 'now'>;
  readonly fingerprint: string;
}

/** Express handler of a route; `inFlight` has the Idempotency-Keys of requests without an answer yet. */
export function serve(context: Context, route: Route, inFlight: Set<string>) {
  return async (req: Request, res: Response): Promise<void> => {
    const incoming = read(context, route, req);
    const { account, request, key } = incoming.origin;
    res.setHeader('request-id', request ?? '');
    if (key === null) return perform(context, route, incoming, res);
    res.setHeader('idempotency-key', key);
    const scopedKey = `${account} ${key}`;
    const stored = context.ledger.answerFor(scopedKey, context.now());
    if (stored !== undefined) {
      replay(res, stored, incoming.fingerprint);
      return;
    }
    if (inFlight.has(scopedKey)) throw KEY_IN_USE;
    inFlight.add(scopedKey);
    try {
      await perform(context, route, incoming, res);
    } finally {
      inFlight.delete(scopedKey);
    }
  };
}

function read({ ledger }: Context, route: Route, req: Request): Incoming {
  const params = ((req.method === 'POST' ? req.body : req.query) as Params | undefined) ?? {};
  const { account, caller } = identify(ledger, route, req, params);
  onlyKnown(params, route.params);
  const key = route.method === 'post' ? (req.header('idempotency-key') ?? null) : null;
  if (key === '' || (key?.length ?? 0) > 255) {
    throw badParameter('Idempotency-Key', 'An Idempotency-Key has 1 to 255 characters');
  }
  const origin = { account, key, request: `req_${randomText(14)}` };
  const fingerprint =
    key === null ? '' : hash('sha256', `${req.path} ${JSON.stringify(sorted(params))}`, 'base64');
  return { origin, caller, params, path: req.params as Record<string, string>, fingerprint };
}

/** The same parameters in another order give the same value. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}

function replay(res: Response, stored: Answer, fingerprint: string): void {
  if (stored.fingerprint !== fingerprint) throw KEY_MISUSED;
  if (stored.withhold > 0) {
    stored.withhold -= 1;
    throw SERVER_ERROR;
  }
  res.setHeader('idempotent-replayed', 'true');
  send(res, stored.status, stored.body);
}

/** Does the work, synchronously after the latency, so that no other request comes in between. */
async function perform(context: Context, route: Route, incoming: Incoming, res: Response): Promise<void> {
  if (context.latencyMs > 0) await wait(context.latencyMs);
  const { fingerprint, origin } = incoming;
  const begin = () => new Transaction(context.ledger, { ...origin, now: context.now() });
  const tx = begin();
  const answer = (status: number, body: string, withhold = 0) =>
    origin.key === null ? undefined : { fingerprint, status, body, withhold };
  try {
    const { status, body, fault } = work(context, route, incoming, tx);
    const text = JSON.stringify(body);
    if (fault?.strikes === 'for_good') {
      tx.commit(answer(500, JSON.stringify({ error: SERVER_ERROR.body })));
      res.setHeader('stripe-should-retry', 'false');
      throw SERVER_ERROR;
    }
    const after = fault?.strikes === 'after' ? fault : undefined;
    tx.commit(answer(status, text, after?.way === 'error' ? after.times - 1 : 0));
    if (after === undefined) send(res, status, text);
    else goWrong(res, after.way, text);
  } catch (error) {
    if (error instanceof Refusal && error.kept) {
      begin().commit(answer(error.status, JSON.stringify({ error: error.body })));
    }
    if (!(error instanceof Interruption)) throw error;
    const own = begin();
    error.remember(own);
    own.commit();
    if (error.way !== 'slow') {
      goWrong(res, error.way, '');
      return;
    }
    await wait(context.settleAfterMs);
    await perform(context, route, incoming, res);
  }
}

function work(context: Context, route: Route, incoming: Incoming, tx: Transaction): Reply {
  const { params, path, caller } = incoming;
  const reply = route.handle({ tx, params, path, caller, context });
  return reply.status === 200 ? { ...reply, body: expand(reply.body, params, tx) } : reply;
}

/** Answers an error: a refusal as such, a body that cannot be read with its status, any other with 500. */
export function sendError(error: Error & { readonly status?: number }, res: Response): void {
  if (!res.hasHeader('request-id')) res.setHeader('request-id', `req_${randomText(14)}`);
  if (error instanceof Refusal) {
    sendRefusal(res, error);
  } else if (error.status !== undefined) {
    const { status, message } = error;
    sendRefusal(res, { status, body: { type: 'invalid_request_error', message } });
  } else {
    process.stderr.write(`${JSON.stringify({ level: 'error', error: error.stack })}\n`);
    sendRefusal(res, SERVER_ERROR);
  }
}

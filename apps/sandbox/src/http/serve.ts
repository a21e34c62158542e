import { setTimeout as wait } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { newId } from '../ledger/ids.js';
import type { Ledger } from '../ledger/ledger.js';
import { Transaction } from '../ledger/transaction.js';
import { render } from '../resources/render.js';
import { renderRefund } from '../resources/render-money.js';
import type { Reply, Route } from './call.js';
import { expand } from './expand.js';
import { type Incoming, paramsOf, readIncoming } from './incoming.js';
import { listBody } from './lists.js';
import { Interruption, Refusal } from './refusal.js';
import { goWrong, send, type Sent } from './send.js';
import { KEY_IN_USE, KEY_MISUSED, SERVER_ERROR } from './server-error.js';

export interface Serving {
  readonly ledger: Ledger;
  readonly now: () => number;
  readonly latencyMs: number;
  /** How long what is late takes; slow answers take as long. */
  readonly settleAfterMs: number;
  readonly origin: () => string;
}

/** Express handler of a route. */
export function serve(serving: Serving, route: Route): (req: Request, res: Response) => void {
  const underWay = keysUnderWay(serving.ledger);
  return (req, res) => {
    const request = newId('req');
    const headers = { 'request-id': request };
    try {
      const incoming = readIncoming(serving.ledger, route, req, request);
      const { key, account } = incoming;
      const stored = key === null ? undefined : serving.ledger.answerFor(account, key, serving.now());
      if (stored !== undefined) {
        replay(serving, res, stored, incoming);
        return;
      }
      const claim = key === null ? request : `${account} ${key}`;
      if (underWay.has(claim)) {
        send(res, { status: 409, body: { error: KEY_IN_USE }, headers });
        return;
      }
      underWay.add(claim);
      perform(serving, route, incoming, req, res)
        // Not even the refusal could be written: the disk is full, or gone.
        .catch((error: unknown) => send(res, { ...refused(error), headers }))
        .finally(() => underWay.delete(claim));
    } catch (error) {
      send(res, { ...refused(error), headers });
    }
  };
}

const claims = new WeakMap<Ledger, Set<string>>();
/** Keys of requests that are being worked on, shared by all routes of a sandbox. */
function keysUnderWay(ledger: Ledger): Set<string> {
  const present = claims.get(ledger) ?? new Set<string>();
  claims.set(ledger, present);
  return present;
}

function replay(
  serving: Serving,
  res: Response,
  stored: NonNullable<ReturnType<Ledger['answerFor']>>,
  { request, key, fingerprint }: Incoming,
): void {
  const headers: Record<string, string> = { 'request-id': request, 'idempotency-key': key ?? '' };
  if (stored.fingerprint !== fingerprint) {
    send(res, { status: 400, body: { error: KEY_MISUSED }, headers });
    return;
  }
  if (stored.withhold > 0) {
    stored.withhold -= 1;
    send(res, { status: 500, body: { error: SERVER_ERROR }, headers });
    return;
  }
  headers['idempotent-replayed'] = 'true';
  send(res, { status: stored.status, text: serving.ledger.bodyOf(stored), headers });
}

/** Does the work; until the first `await`, nothing else of the sandbox runs in between. */
async function perform(
  serving: Serving,
  route: Route,
  incoming: Incoming,
  req: Request,
  res: Response,
): Promise<void> {
  const { request, key, account, fingerprint } = incoming;
  const headers: Record<string, string> = { 'request-id': request };
  if (key !== null) headers['idempotency-key'] = key;
  if (serving.latencyMs > 0) await wait(serving.latencyMs);
  const tx = new Transaction(serving.ledger, { account, request, key, now: serving.now() });
  try {
    const reply = work(serving, route, incoming, req, tx);
    const { fault } = reply;
    const sent: Sent =
      fault?.strikes === 'for_good'
        ? // Sending the same again brings the same 500 again, since it is kept under the key.
          {
            status: 500,
            text: JSON.stringify({ error: SERVER_ERROR }),
            headers: { ...headers, 'stripe-should-retry': 'false' },
          }
        : { status: reply.status, text: JSON.stringify(reply.body), headers };
    const withhold = fault?.strikes === 'after' && fault.way === 'error' ? fault.times - 1 : 0;
    tx.commit(
      key === null ? undefined : { fingerprint, status: sent.status, body: sent.text ?? '', withhold },
    );
    if (fault?.strikes === 'after') {
      goWrong(res, fault.way, sent);
      return;
    }
    send(res, sent);
  } catch (error) {
    if (error instanceof Interruption) return interrupt(serving, route, incoming, { req, res }, error);
    const answer = refused(error);
    if (error instanceof Refusal && error.kept && key !== null) {
      const body = JSON.stringify(answer.body);
      const origin = { account, request, key, now: serving.now() };
      new Transaction(serving.ledger, origin).commit({
        fingerprint,
        status: error.status,
        body,
        withhold: 0,
      });
    }
    send(res, { ...answer, headers });
  }
}

function work(serving: Serving, route: Route, incoming: Incoming, req: Request, tx: Transaction): Reply {
  const params = paramsOf(req);
  const origin = serving.origin();
  const path = req.params as Record<string, string>;
  const reply = route.handle({ tx, params, path, caller: incoming.caller, origin });
  if (params.expand === undefined || reply.status !== 200) return reply;
  const body = expand(
    reply.body,
    params,
    (kind, id) => {
      const record = tx.get(kind, id);
      return record && render(record, tx, origin);
    },
    (charge) => {
      const refunds = [...tx.ledger.list('refund', charge)]
        .reverse()
        .flatMap(({ id }) => tx.get('refund', id) ?? []);
      return listBody(`/v1/charges/${charge}/refunds`, refunds.map(renderRefund));
    },
  );
  return { ...reply, body };
}

/** The request went wrong before any work. Slow ones are only late: they are worked on after a while. */
async function interrupt(
  serving: Serving,
  route: Route,
  incoming: Incoming,
  { req, res }: { readonly req: Request; readonly res: Response },
  { way, remember }: Interruption,
): Promise<void> {
  const { account, request, key } = incoming;
  const tx = new Transaction(serving.ledger, { account, request, key, now: serving.now() });
  remember(tx);
  tx.commit();
  if (way !== 'slow') {
    goWrong(res, way, { status: 200, text: '', headers: { 'request-id': request } });
    return;
  }
  await wait(serving.settleAfterMs);
  return perform(serving, route, incoming, req, res);
}

function refused(error: unknown): Pick<Sent, 'status' | 'body'> {
  if (error instanceof Refusal) return { status: error.status, body: { error: error.body } };
  process.stderr.write(
    `${JSON.stringify({ level: 'error', error: String((error as Error).stack ?? error) })}\n`,
  );
  return { status: 500, body: { error: SERVER_ERROR } };
}

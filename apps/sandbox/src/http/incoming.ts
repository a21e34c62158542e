import { hash } from 'node:crypto';
import type { Request } from 'express';
import type { Ledger } from '../ledger/ledger.js';
import { accountOf, accountOfPublishable, isPublishable, keyIn } from './account.js';
import type { Call, Route } from './call.js';
import { onlyKnown, type Params } from './params.js';
import { badParameter } from './refusal.js';

/** Who asks, and under which Idempotency-Key. */
export interface Incoming {
  readonly account: string;
  readonly caller: Call['caller'];
  readonly request: string;
  readonly key: string | null;
  readonly fingerprint: string;
}

/** Reads who asks, and with which key; throws what may not be asked. */
export function readIncoming(ledger: Ledger, route: Route, req: Request, request: string): Incoming {
  const params = paramsOf(req);
  const who = identify(ledger, route, req, params);
  onlyKnown(params, route.params);
  const key = route.method === 'post' ? (req.header('idempotency-key') ?? null) : null;
  if (key === '' || (key?.length ?? 0) > 255) {
    throw badParameter('Idempotency-Key', 'An Idempotency-Key has 1 to 255 characters');
  }
  return { ...who, request, key, fingerprint: key === null ? '' : fingerprintOf(req, params) };
}

export const paramsOf = (req: Request): Params =>
  ((req.method === 'POST' ? req.body : req.query) as Params | undefined) ?? {};

/** A secret key; or, where a route allows it, the secret of the intent in the path. */
function identify(
  ledger: Ledger,
  route: Route,
  req: Request,
  params: Params,
): Pick<Incoming, 'account' | 'caller'> {
  const key = keyIn(req.headers.authorization) ?? (typeof params.key === 'string' ? params.key : undefined);
  const publishable = key !== undefined && isPublishable(key);
  if (route.client !== undefined && (key === undefined || publishable)) {
    const intent = ledger.get(route.client, String(req.params.id));
    const secret = params.client_secret;
    if (intent !== undefined && secret === `${intent.id}_secret_${intent.secret}`) {
      return { account: intent.account, caller: 'client' };
    }
    if (secret !== undefined)
      throw badParameter('client_secret', 'The client secret is not that of this intent');
  }
  if (publishable && route.method === 'post' && route.path === '/v1/payment_methods') {
    return { account: accountOfPublishable(key), caller: 'client' };
  }
  return { account: accountOf(key), caller: 'secret' };
}

/** Same address and same parameters, in whatever order, give the same text. */
function fingerprintOf(req: Request, params: Params): string {
  const sorted = (value: unknown): unknown =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, each]) => [name, sorted(each)]),
        );
  return hash('sha256', `${req.path} ${JSON.stringify(sorted(params))}`, 'base64');
}

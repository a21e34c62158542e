import { hash } from 'node:crypto';
import type { Request } from 'express';
import type { Ledger } from '../ledger/ledger.js';
import type { Call, Route } from './call.js';
import type { Params } from './params.js';
import { badParameter, unauthenticated } from './refusal.js';

type Caller = Pick<Call, 'caller'> & { readonly account: string };

/** Identifies the caller by a secret key or, where the route allows it, by the secret of the intent in the path. */
export function identify(ledger: Ledger, route: Route, req: Request, params: Params): Caller {
  const key = keyIn(req.headers.authorization) ?? (typeof params.key === 'string' ? params.key : '');
  const publishable = /^pk_test_\w+$/.test(key);
  if (route.client !== undefined && (key === '' || publishable)) {
    const intent = ledger.get(route.client, String(req.params.id));
    const secret = params.client_secret;
    if (intent !== undefined && secret === `${intent.id}_secret_${intent.secret}`) {
      return { account: intent.account, caller: 'client' };
    }
    if (secret !== undefined)
      throw badParameter('client_secret', 'The client secret is not that of this intent');
  }
  if (publishable && route.method === 'post' && route.path === '/v1/payment_methods') {
    return { account: accountOf(key.replace(/^pk_/, 'sk_')), caller: 'client' };
  }
  return { account: accountOf(key), caller: 'secret' };
}

/** The key of `Bearer <key>`, or of Basic with the key as user name. */
function keyIn(authorization = ''): string | undefined {
  const [scheme = '', value] = authorization.split(' ', 2);
  if (value === undefined || value === '') return undefined;
  if (/^bearer$/i.test(scheme)) return value;
  return /^basic$/i.test(scheme) ? Buffer.from(value, 'base64').toString().split(':', 1)[0] : undefined;
}

/** Each secret test key has an account of its own. Only a hash of the key is kept. */
function accountOf(key: string): string {
  if (key === '') {
    throw unauthenticated('Send an API key as Bearer token or as user name of Basic authentication');
  }
  if (!/^sk_test_\w+$/.test(key))
    throw unauthenticated('The sandbox takes secret test keys only (sk_test_…)');
  return `acct_${hash('sha256', key).slice(0, 16)}`;
}

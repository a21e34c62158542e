import ipaddr from 'ipaddr.js';
import { fault, type Fault } from '@commerce/kernel';

import { isGlobalAddress, isLocalName } from './address.js';

/** Where a call goes: an address that was checked. */
export interface Endpoint {
  /** `https://host:port`, for the connection pool. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

export interface EndpointRules {
  /** Allows http and addresses that are not global; for development and tests. */
  readonly allowPrivate: boolean;
}

const MAX_URL = 2048;
const MAX_HOST = 253;

/**
 * Checks the address of a customer's endpoint as far as its text goes: what a name resolves to is judged when the
 * connection is made.
 * @param path name of the field that holds the address, for the error
 * @throws Fault `webhook.endpoint_refused` naming the field
 */
export function checkEndpoint(text: string, rules: EndpointRules, path = 'endpoint'): Endpoint {
  const refusal = refusalOf(text, rules);
  if (typeof refusal !== 'string') return refusal;
  throw refused(path, refusal);
}

function refused(path: string, why: string): Fault {
  const code = 'webhook.endpoint_refused';
  const message = `${path} ${why}`;
  return fault(code, message, { errors: [{ path, code, message }] });
}

/** The endpoint, or the reason why it is refused. */
function refusalOf(text: string, rules: EndpointRules): Endpoint | string {
  if (text.length > MAX_URL) return `must not be longer than ${String(MAX_URL)} characters`;
  // The URL parser silently drops tabs and newlines; an address that needs that is not what its owner meant.
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0020\u007f]|\p{Surrogate}/u.test(text))
    return 'must not contain spaces or control characters';
  if (!/^https?:\/\//i.test(text))
    return `must start with ${rules.allowPrivate ? 'http:// or ' : ''}https://`;
  if (!URL.canParse(text)) return 'must be a valid URL';
  const url = new URL(text);
  if (url.protocol === 'http:' && !rules.allowPrivate) return 'must start with https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.port === '0') return 'must not use port 0';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '' || host.length > MAX_HOST) return 'must name a host of at most 253 characters';
  if (!rules.allowPrivate) {
    if (isLocalName(host)) return 'must not name this machine';
    if (ipaddr.isValid(host) && !isGlobalAddress(host))
      return 'must be an address reachable from the internet';
  }
  return { origin: url.origin, path: url.pathname + url.search };
}

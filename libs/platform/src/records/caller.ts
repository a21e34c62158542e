import type { Id } from './fields/id.js';

/** Who makes a request: the company by its API key, the role by its token or service account key. */
export interface Caller {
  readonly company: Id;
  readonly mode: 'test' | 'live';
  readonly role: 'admin' | 'user' | 'anonymous';
  /** The end customer, when the role is user. */
  readonly user: Id | null;
  /** Identifies the credential, for idempotency keys and logs; never a secret. */
  readonly credential: string;
}

/**
 * Only records of this user may be seen by the caller; null when the caller sees all of the company's. A route that
 * asks this for an anonymous caller is wrong: it throws rather than show everything.
 */
export function ownerOnly(caller: Caller): Id | null {
  if (caller.role === 'admin') return null;
  if (caller.user === null) throw new Error('records with an owner need a caller who is somebody');
  return caller.user;
}

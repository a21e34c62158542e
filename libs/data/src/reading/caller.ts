import type { Id } from '@commerce/records';

/** The caller of a request: the API key names the company, the token or service key the role. */
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
 * The user whose records are all that the caller may see; null when the caller sees all of the company's. It throws
 * for an anonymous caller: a route that asks for one is wrong, and must not show everything.
 */
export function ownerOnly(caller: Caller): Id | null {
  if (caller.role === 'admin') return null;
  if (caller.user === null) throw new Error('records with an owner need a caller who is somebody');
  return caller.user;
}

import { AsyncLocalStorage } from 'node:async_hooks';

import type { ClientSession } from 'mongoose';

import type { Id } from './fields/id.js';

/** What the first record written in the name of a repeatable request is. */
export interface ClaimSubject {
  readonly collection: string;
  readonly id: Id;
}

/**
 * A request that was made under an idempotency key. Its first commit notes what it wrote in the same
 * transaction, so that a repetition after a crash can tell done from not done.
 */
export interface RequestClaim {
  noted: boolean;
  note(subject: ClaimSubject, session: ClientSession | undefined): Promise<void>;
}

const claims = new AsyncLocalStorage<RequestClaim>();

export function withClaim<T>(claim: RequestClaim, work: () => Promise<T>): Promise<T> {
  return claims.run(claim, work);
}

/** The claim of the running request, unless a commit has noted its subject already. */
export function openClaim(): RequestClaim | null {
  const claim = claims.getStore();
  return claim === undefined || claim.noted ? null : claim;
}

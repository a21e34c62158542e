import { AsyncLocalStorage } from 'node:async_hooks';

import type { ClientSession } from 'mongoose';

import type { Id } from './fields/id.js';

/** The first record that a request under an idempotency key wrote. */
export interface ClaimSubject {
  readonly collection: string;
  readonly id: Id;
}

/**
 * A request under an idempotency key. Its first commit notes, in the same transaction, what it wrote, so that a
 * repetition after a crash knows whether it was done.
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

import { AsyncLocalStorage } from 'node:async_hooks';

import type { Id } from '@commerce/records';
import type { OwnedRecord } from '@commerce/records';
import type { RowWrite } from './row-write.js';

/** The records that a request under an idempotency key is about, as its first commit of such records wrote them. */
export interface ReservationSubject {
  readonly collection: string;
  readonly ids: readonly Id[];
}

/**
 * The reservation of an idempotency key by a request. The first commit of what it is about notes, in the same transaction, what it
 * wrote, so that a repetition after a crash knows whether it was done. What else it writes before does not count: it
 * is found again when the request is repeated.
 */
export interface RequestReservation {
  /** The collection of the records that the request is about; null where it is about none. */
  readonly collection: string | null;
  noted: boolean;
  /**
   * What notes these records, as they will be; it fails where the key is another request's. None are given for a
   * commit of something else.
   */
  noteOf(written: readonly OwnedRecord[]): RowWrite;
}

const reservations = new AsyncLocalStorage<RequestReservation>();

export function withReservation<T>(reservation: RequestReservation, work: () => Promise<T>): Promise<T> {
  return reservations.run(reservation, work);
}

/** The reservation of the running request, unless a commit has noted its subject already. */
export function openReservation(): RequestReservation | null {
  const reservation = reservations.getStore();
  return reservation === undefined || reservation.noted ? null : reservation;
}

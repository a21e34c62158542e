import { Scoped } from '@commerce/platform';
import { BY_COMPANY, type Id, type OwnedRecord } from '@commerce/records';

import { RowCollection } from '../server/row-collection.js';
import type { RowWrite } from './row-write.js';

const KEPT_SECONDS = 24 * 3600;

/** The idempotency keys in use, which the API writes, each for 24 hours. */
export const IDEMPOTENCY_KEYS = new RowCollection('idempotency_keys', {
  sharding: BY_COMPANY,
  indexes: [{ key: { created: 1 }, name: 'expiry', expireAfterSeconds: KEPT_SECONDS }],
});

/** The records that the first commit of a request under an idempotency key wrote in the collection of its reply. */
export interface ReservationSubject {
  readonly collection: string;
  readonly ids: readonly Id[];
  /** The records of other collections in that commit, of routes that resume; an older process notes none. */
  readonly beside?: readonly Id[];
}

/**
 * The reservation of an idempotency key by a request. The first commit of records of the reply notes them in the same
 * transaction, so that a repetition after a crash finds them; earlier commits of other records are found when repeated.
 */
export interface RequestReservation {
  /** The collection of the records in the reply; null for a reply without records. */
  readonly collection: string | null;
  noted: boolean;
  /**
   * The write that notes the records of the reply, none for a commit of other records, and those written beside them.
   * It fails when another request has the key.
   */
  noteOf(written: readonly OwnedRecord[], beside: readonly OwnedRecord[]): RowWrite | Promise<RowWrite>;
}

const reservations = new Scoped<RequestReservation>();

export function withReservation<T>(reservation: RequestReservation, work: () => Promise<T>): Promise<T> {
  return reservations.run(reservation, work);
}

/** The reservation of the running request, unless a commit has noted its subject already. */
export function openReservation(): RequestReservation | null {
  const reservation = reservations.get();
  return reservation === undefined || reservation.noted ? null : reservation;
}

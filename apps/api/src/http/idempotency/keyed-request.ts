import { createHash } from 'node:crypto';

import type { CallHandler } from '@nestjs/common';
import type { Caller, ReservationSubject } from '@commerce/data';
import { parseId, type Id, type OwnedRecord } from '@commerce/records';
import type { Response } from 'express';
import { lastValueFrom } from 'rxjs';

import type { ServiceRequest } from '../service-request.js';
import type { IdempotencyNotes } from './idempotency.notes.js';
import type { IdempotencyRow, KeyUse } from './idempotency.store.js';

/** Shows a record as the reply did. */
export type ShowAgain = (caller: Caller, id: string) => Promise<unknown>;

/** `beside`: the records of other collections that the interrupted request wrote in the same commit. */
export type Resume = (caller: Caller, written: string, beside: readonly Id[]) => Promise<unknown>;

/** One request with an Idempotency-Key. */
export interface Keyed extends IdempotencyNotes {
  readonly caller: Caller;
  readonly request: ServiceRequest;
  readonly response: Response;
  readonly next: CallHandler;
  readonly resume: Resume | null;
  readonly showAgain: ShowAgain | null;
}

const METHODS = new Set(['POST', 'PUT', 'DELETE']);

/** The idempotency key of a request; undefined where it has none, or changes nothing. */
export function keyOf({ method, headers }: ServiceRequest): string | undefined {
  const key = headers['idempotency-key'];
  return key === undefined || !METHODS.has(method) ? undefined : String(key);
}

/** The use that a request makes of its key. */
export function useOf(key: string, { caller, request }: Keyed): KeyUse {
  const { company, credential } = caller;
  const { method, path } = request;
  const scope = [company.toHexString(), credential, method, path, key];
  return { _id: hash(JSON.stringify(scope)), fingerprint: fingerprintOf(request), company };
}

/** The route's reply; undefined when it has no body. */
export const answerOf = ({ next }: Keyed): Promise<unknown> =>
  lastValueFrom(next.handle(), { defaultValue: undefined });

/** Selects the records of the route's reply among those that the request wrote. */
export function answeredOf<T>(written: readonly T[], idOf: (one: T) => Id, { about, request }: Keyed): T[] {
  if (about.isList) return [...written];
  const named = written.find((one) => idOf(one).toHexString() === request.params['id']);
  return [named ?? written[0]].filter((one) => one !== undefined);
}

export function subjectOf(
  collection: string | null,
  written: readonly OwnedRecord[],
  others: readonly OwnedRecord[],
): ReservationSubject | null {
  if (collection === null || written.length === 0) return null;
  const [ids, beside] = [written, others].map((records) => records.map(({ _id }) => _id));
  return { collection, ids: ids ?? [], beside };
}

/** The record that the path names, for a request that wrote nothing. */
export function namedBy({ about: { collection, isList }, request }: Keyed): ReservationSubject | null {
  const id = parseId(String(request.params['id'] ?? ''));
  return collection === null || isList || id === null ? null : { collection, ids: [id], beside: [] };
}

/** The method that shows a record of a reply that is not kept; null where the record shows itself. */
export function showing({ status, subject }: IdempotencyRow, keyed: Keyed): ShowAgain | null {
  const { showAgain, resume } = keyed;
  if (showAgain !== null && status < 300) return showAgain;
  return resume === null ? null : (caller, id) => resume(caller, id, subject?.beside ?? []);
}

/** A digest of the query and the body, which a repetition must match. */
function fingerprintOf({ rawBody, originalUrl }: ServiceRequest): string {
  const query = new URL(originalUrl, 'http://host').search;
  return hash(query, '\n', rawBody ?? '');
}

function hash(...parts: (string | Buffer)[]): string {
  const sha = createHash('sha256');
  for (const part of parts) sha.update(part);
  return sha.digest('hex');
}

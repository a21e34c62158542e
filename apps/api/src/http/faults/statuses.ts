import { FAULTS, againBy } from './fault-catalogue.js';
import type { Again } from './fault-rows.js';

/** Statuses by reason (the part of a code after its dot), for codes absent from the catalogue. */
const BY_REASON: readonly (readonly [RegExp, number])[] = [
  [/\.not_found$/, 404],
  [/\.state_conflict$/, 409],
  [/[._]taken$/, 409],
  [/\.in_use$/, 409],
  [/\.rate_limited$/, 429],
];

/** The HTTP status of a fault code; 422 (invalid value) when none is listed. */
export function statusOf(code: string): number {
  return FAULTS.get(code)?.status ?? BY_REASON.find(([reason]) => reason.test(code))?.[1] ?? 422;
}

/** States when the same request may succeed later, by the catalogue entry of its code. */
export function againOf(code: string): Again {
  return FAULTS.get(code)?.again ?? againBy(statusOf(code));
}

/** The statuses of refusals that the caller can repair with other credentials, values or pace. */
const REPAIRABLE = new Set([401, 403, 422, 429]);

/** True when repeating the same request always meets the same refusal. */
export function isFinal(code: string): boolean {
  const status = statusOf(code);
  return status < 500 && !REPAIRABLE.has(status) && againOf(code) === 'never';
}

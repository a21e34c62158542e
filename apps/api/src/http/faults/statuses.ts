import { FAULTS, againBy, type Again } from './fault-catalogue.js';

/** Statuses by the reason, the part of a code behind its dot, for codes that the catalogue does not list. */
const BY_REASON: readonly (readonly [RegExp, number])[] = [
  [/\.not_found$/, 404],
  [/\.state_conflict$/, 409],
  [/[._]taken$/, 409],
  [/\.in_use$/, 409],
  [/\.rate_limited$/, 429],
];

/** The HTTP status of a fault's code; what is listed nowhere is an invalid value, 422. */
export function statusOf(code: string): number {
  return FAULTS.get(code)?.status ?? BY_REASON.find(([reason]) => reason.test(code))?.[1] ?? 422;
}

/** Whether the same request may succeed later, as the catalogue says of its code. */
export function againOf(code: string): Again {
  return FAULTS.get(code)?.again ?? againBy(statusOf(code));
}

/** Refusals that the caller can repair: other credentials, values or pace. */
const REPAIRABLE = new Set([401, 403, 422, 429]);

/** Whether a refusal stays the same however often the same request is sent. */
export function isFinal(code: string): boolean {
  const status = statusOf(code);
  return status < 500 && !REPAIRABLE.has(status) && againOf(code) === 'never';
}

import type { Caller } from '@commerce/data';
import type { Id } from '@commerce/records';

/** Time after a start during which the customer is assumed to be present. */
const SESSION_MS = 10 * 60_000;

interface InSession {
  readonly in_session_until: Date | null;
  readonly payments: readonly Id[];
}

/** The end of the session in which a customer started a subscription; null where an admin started it. */
export function sessionEnd({ role }: Pick<Caller, 'role'>, now: Date): Date | null {
  return role === 'user' ? new Date(now.getTime() + SESSION_MS) : null;
}

/** Whether a charge is made without the customer: true of all but the first, right after the customer started it. */
export function isOffSession({ in_session_until, payments }: InSession, now: Date): boolean {
  return payments.length > 0 || in_session_until === null || now > in_session_until;
}

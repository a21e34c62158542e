import { fieldFault } from '@commerce/kernel';
import type { Caller } from '@commerce/data';

/**
 * Whether a caller pays while the customer is away: a user is present, an admin acts for a customer who usually is not.
 */
export function offSessionOf({ role }: Caller, given: boolean | null | undefined): boolean {
  if (role === 'admin') return given ?? true;
  if (given === true) throw fieldFault('off_session', 'off_session can only be true for an admin');
  return false;
}

import type { Caller, Id } from '@commerce/platform';

/** Commands act as an admin of the company, through the services that the API uses. */
export function adminOf(company: Id): Caller {
  return { company, mode: 'test', role: 'admin', user: null, credential: 'cli' };
}

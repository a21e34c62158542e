import type { CompanyRecord } from '@commerce/identity';
import type { Caller } from '@commerce/platform';

/** Commands act as an admin of the company, through the services that the API uses. */
export function adminOf({ _id, mode }: CompanyRecord): Caller {
  return { company: _id, mode, role: 'admin', user: null, credential: 'cli' };
}

import { fieldFault } from '@commerce/kernel';
import { parseId, ownerOnly, type Caller, type Filter, type RawQuery } from '@commerce/platform';

/** A filter from query parameters that hold ids; with those of a user's own records only, unless an admin asks. */
export function idFilter(caller: Caller, raw: RawQuery, names: readonly string[]): Filter {
  const filter: Filter = {};
  for (const name of names) {
    const value = raw[name];
    if (value === undefined) continue;
    const id = typeof value === 'string' ? parseId(value) : null;
    if (id === null) throw fieldFault(name, `${name} must be an id: 24 hexadecimal digits`);
    filter[name] = id;
  }
  const only = ownerOnly(caller);
  if (only === null) return filter;
  const asked = filter['user'];
  // Asking for somebody else's finds nothing.
  return asked === undefined || only.equals(asked as typeof only)
    ? { ...filter, user: only }
    : { user: null };
}

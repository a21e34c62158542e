import { fieldFault } from '@commerce/kernel';
import {
  ownerOnly,
  readFlag,
  readPage,
  type Caller,
  type Filter,
  type PageQuery,
  type RawQuery,
} from '@commerce/platform';

import { RESOURCE_STATUSES } from './resource.record.js';

const RULES = {
  sortable: ['created', 'modified', 'name', 'status'],
  dates: { created: 'created', modified: 'modified' },
};

/** Reads the query of a list. What it finds is of the caller's own, unless an admin asks. */
export function readResourceQuery(caller: Caller, raw: RawQuery): PageQuery {
  const page = readPage(raw, { ...RULES, sort: '-created', others: ['status', 'include_deleted'] });
  return { ...page, filter: { ...visible(caller, raw), ...readStatus(raw), ...page.filter } };
}

/** Reads the query of a search; `found` is the filter of what is searched for. */
export function readResourceSearch(caller: Caller, raw: RawQuery): (found: Filter) => PageQuery {
  const page = readPage(raw, { ...RULES, sort: 'created', others: ['query', 'status', 'include_deleted'] });
  const filter = { ...visible(caller, raw), ...readStatus(raw), ...page.filter };
  return (found) => ({ ...page, filter: { ...found, ...filter } });
}

function visible(caller: Caller, raw: RawQuery): Filter {
  const owner = ownerOnly(caller);
  return {
    ...(owner === null ? {} : { user: owner }),
    ...(readFlag(raw, 'include_deleted') === true ? {} : { deleted: false }),
  };
}

function readStatus(raw: RawQuery): Filter {
  if (raw['status'] === undefined) return {};
  const asked = typeof raw['status'] === 'string' ? raw['status'].toUpperCase() : '';
  const status = RESOURCE_STATUSES.find((one) => one === asked);
  if (status === undefined) {
    throw fieldFault('status', `status must be one of ${RESOURCE_STATUSES.join(', ')}`);
  }
  return { status };
}

import {
  sortsOf,
  Choice,
  Flag,
  listQuery,
  pageOf,
  type ListParameters,
  type PageQuery,
} from '@commerce/records';

import { SearchText } from '../search/search-query.js';
import { RESOURCE_STATUSES, ResourceRecord } from './resource.record.js';

const RULES: ListParameters = {
  sortable: sortsOf(ResourceRecord),
  dates: ['created', 'modified'],
};

export class ListResourcesQuery extends listQuery({ ...RULES, sort: '-created' }) {
  @Choice(RESOURCE_STATUSES, { optional: true, description: 'resources with this status only' })
  status: ResourceRecord['status'] | null;

  @Flag({ default: false, description: 'deleted ones, too' })
  include_deleted: boolean;
}

export class SearchResourcesQuery extends listQuery({ ...RULES, sort: 'created' }) {
  @SearchText()
  query: string;

  @Choice(RESOURCE_STATUSES, { optional: true, description: 'resources with this status only' })
  status: ResourceRecord['status'] | null;

  @Flag({ default: false, description: 'deleted ones, too' })
  include_deleted: boolean;
}

/** The page of resources that a query asks for. */
export function resourcePage(query: ListResourcesQuery | SearchResourcesQuery): PageQuery {
  return pageOf(query, {
    ...(query.include_deleted ? {} : { deleted: false }),
    ...(query.status === null ? {} : { status: query.status }),
  });
}

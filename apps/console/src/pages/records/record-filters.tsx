import type { ReactNode } from 'react';

import { FilterBar } from '../../lists/filters/filter-bar';
import { ChoiceFilter, LinkedFilters, type Filters } from '../../lists/filters/filters';
import { AmountFilters, DateFilters } from '../../lists/filters/range-filters';
import { SortFilter, sortOf } from '../../lists/filters/sorts';
import { UserFilter } from '../../lists/filters/user-filter';
import { T } from '../../texts';
import type { ListedKind } from './record-columns';

const ORDER_STATUSES = ['PENDING_PAYMENT', 'REQUIRES_AUTH', 'PAID', 'CANCELLED', 'REFUNDED'];

const SORTS = {
  users: ['-_id', '-created', 'created', 'name', 'email', '-updated'],
  orders: ['-_id', '-created', 'created', '-amount', 'amount', '-updated'],
} as const;

interface FilterProps {
  readonly filters: Filters;
}

/** The query of a list by its address. */
export function queryOf(kind: ListedKind, filters: Filters): Readonly<Record<string, string>> {
  const query = Object.fromEntries(Object.entries(filters.query).filter(([name]) => name !== 'id'));
  if (kind !== 'users' && kind !== 'orders') return query;
  return { ...query, sort: sortOf({ ...filters, query }, SORTS[kind]) };
}

export function UserFilters({ filters }: FilterProps): ReactNode {
  return (
    <FilterBar filters={filters}>
      <DateFilters filters={filters} />
      <SortFilter filters={filters} offered={SORTS.users} />
      <LinkedFilters filters={filters} />
    </FilterBar>
  );
}

export function OrderFilters({ filters }: FilterProps): ReactNode {
  return (
    <FilterBar filters={filters}>
      <ChoiceFilter {...{ filters, name: 'status', label: T.status, values: ORDER_STATUSES }} />
      <UserFilter filters={filters} />
      <AmountFilters filters={filters} />
      <DateFilters filters={filters} />
      <SortFilter filters={filters} offered={SORTS.orders} />
      <LinkedFilters filters={filters} />
    </FilterBar>
  );
}

import type { ReactNode } from 'react';

import { T } from '../../texts';
import { ChoiceFilter, type Filters } from './filters';

type SortName = keyof typeof T.lists.sorts;

/**
 * The order of a list. Unless one is chosen, it is that in which the records were really made; a narrowed list has the
 * order by which an index narrows it.
 */
export function sortOf<S extends SortName>(
  { query }: Filters,
  offered: readonly S[],
): S | '-created' | '-_id' {
  const { sort, ...narrowing } = query;
  const chosen = offered.find((one) => one === sort);
  if (chosen !== undefined) return chosen;
  const byAmount = offered.find((one) => one === '-amount');
  if (byAmount !== undefined && ('min_amount' in narrowing || 'max_amount' in narrowing)) return byAmount;
  return Object.keys(narrowing).length === 0 ? '-_id' : '-created';
}

interface SortFilterProps {
  readonly filters: Filters;
  readonly offered: readonly SortName[];
}

export function SortFilter({ filters, offered }: SortFilterProps): ReactNode {
  const values = offered.map((one) => [one, T.lists.sorts[one]] as const);
  return <ChoiceFilter {...{ filters, name: 'sort', label: T.sort, values }} standard={T.lists.newest} />;
}

import { useState, type ReactNode } from 'react';

import { T } from '../../texts';
import type { Filters } from './filters';

interface FilterBarProps {
  readonly filters: Filters;
  readonly children: ReactNode;
}

/** The filters of a list. A phone shows them on request, since they would push the list out of sight. */
export function FilterBar({ filters, children }: FilterBarProps): ReactNode {
  const set = Object.keys(filters.query).length;
  const [isOpen, setOpen] = useState(set > 0);
  return (
    <>
      <button
        type="button"
        className="button filters-switch"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {T.lists.filters(set)}
      </button>
      <div className={isOpen ? 'filters' : 'filters wide'}>{children}</div>
    </>
  );
}

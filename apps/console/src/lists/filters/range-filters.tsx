import type { ReactNode } from 'react';

import { DAY_MS } from '../../app/clock';
import { T } from '../../texts';
import type { Filters } from './filters';

/** Two days, both included; the address has the dates in milliseconds, the second not included. */
export function DateFilters({ filters }: { readonly filters: Filters }): ReactNode {
  return (
    <>
      <DateFilter {...{ filters, name: 'from_date', label: T.lists.from, later: 0 }} />
      <DateFilter {...{ filters, name: 'to_date', label: T.lists.until, later: DAY_MS }} />
    </>
  );
}

interface DateFilterProps {
  readonly filters: Filters;
  readonly name: string;
  readonly label: string;
  /** The value lies that much after the beginning of the day that is shown. */
  readonly later: number;
}

function DateFilter({ filters, name, label, later }: DateFilterProps): ReactNode {
  const value = Number(filters.of(name));
  // A date that is not at midnight is shown as its day.
  const shown = value > 0 ? new Date(value - Math.min(later, 1)).toISOString().slice(0, 10) : '';
  return (
    <label className="filter">
      <span>{label}</span>
      <input
        type="date"
        value={shown}
        onChange={({ target }) => {
          const at = Date.parse(target.value);
          filters.set(name, Number.isNaN(at) ? '' : String(at + later));
        }}
      />
    </label>
  );
}

/** Two amounts, both included. */
export function AmountFilters({ filters }: { readonly filters: Filters }): ReactNode {
  return (
    <>
      <AmountFilter {...{ filters, name: 'min_amount', label: T.lists.least }} />
      <AmountFilter {...{ filters, name: 'max_amount', label: T.lists.most }} />
    </>
  );
}

/** Takes effect with Enter, or when the field is left: each digit would ask anew. */
function AmountFilter({ filters, name, label }: Omit<DateFilterProps, 'later'>): ReactNode {
  const value = filters.of(name);
  const take = (typed: string): void => {
    if (typed !== value) filters.set(name, typed);
  };
  return (
    <label className="filter">
      <span>{label}</span>
      <input
        key={value}
        type="number"
        step="any"
        min="0"
        defaultValue={value}
        onBlur={({ target }) => take(target.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') take(currentTarget.value);
        }}
      />
    </label>
  );
}

import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';

import { words } from '../../app/format';
import { T } from '../../texts';

export interface Filters {
  readonly of: (name: string) => string;
  readonly set: (name: string, value: string) => void;
  /** Names the filters that are set. */
  readonly key: string;
  /** The filters that are set, as a query. */
  readonly query: Readonly<Record<string, string>>;
}

/** Keeps the filters of a list in its address: it can be linked to, and Back restores the previous ones. */
export function useFilters(): Filters {
  const [params, setParams] = useSearchParams();
  return {
    of: (name) => params.get(name) ?? '',
    set: (name, value) =>
      setParams((before) => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      }),
    key: params.toString(),
    query: Object.fromEntries(params),
  };
}

interface ChoiceProps {
  readonly filters: Filters;
  readonly name: string;
  readonly label: string;
  readonly values: readonly (string | readonly [value: string, label: string])[];
  /** The filter's value when none is chosen; without one, all records match. */
  readonly standard?: string;
}

export function ChoiceFilter({ filters, name, label, values, standard }: ChoiceProps): ReactNode {
  return (
    <label className="filter">
      <span>{label}</span>
      <select value={filters.of(name)} onChange={(event) => filters.set(name, event.target.value)}>
        <option value="">{standard ?? T.all}</option>
        {values.map((one) => {
          const [value, text] = typeof one === 'string' ? [one, words(one)] : one;
          return (
            <option key={value} value={value}>
              {text}
            </option>
          );
        })}
      </select>
    </label>
  );
}

/** Shows that a link narrowed the list, and removes that filter on request. */
export function LinkedFilter({
  filters,
  name,
  label,
}: Pick<ChoiceProps, 'filters' | 'name' | 'label'>): ReactNode {
  if (filters.of(name) === '') return null;
  return (
    <button
      type="button"
      className="chip"
      onClick={() => filters.set(name, '')}
      aria-label={T.without(label)}
    >
      {label} <span aria-hidden="true">×</span>
    </button>
  );
}

/** The filters that links set, each with its way out. */
export function LinkedFilters({ filters }: Pick<ChoiceProps, 'filters'>): ReactNode {
  return (
    <>
      <LinkedFilter {...{ filters, name: 'subscription', label: T.oneSubscription }} />
      <LinkedFilter {...{ filters, name: 'payment', label: T.onePayment }} />
      <LinkedFilter {...{ filters, name: 'currency', label: T.oneCurrency(filters.of('currency')) }} />
      <LinkedFilter {...{ filters, name: 'test_clock', label: T.oneClock }} />
      <LinkedFilter
        {...{ filters, name: 'real_time' }}
        label={filters.of('real_time') === 'false' ? T.lists.onClocks : T.realTime}
      />
    </>
  );
}

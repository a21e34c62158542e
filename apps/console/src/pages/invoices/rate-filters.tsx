import type { ReactNode } from 'react';

import type { Filters } from '../../lists/filters/filters';
import { T } from '../../texts';

const CURRENCY = /^[A-Z]{3}$/;

/** Narrows the list to one currency, once its three letters are there. */
export function CurrencyFilter({ filters }: { readonly filters: Filters }): ReactNode {
  const value = filters.of('currency');
  return (
    <label className="filter">
      <span>{T.rates.currency}</span>
      <input
        key={value}
        type="text"
        maxLength={3}
        autoComplete="off"
        defaultValue={value}
        onChange={({ target }) => {
          const code = target.value.trim().toUpperCase();
          if (code === '' || CURRENCY.test(code)) filters.set('currency', code);
        }}
      />
    </label>
  );
}

/** Narrows the list to one day. */
export function DayFilter({ filters }: { readonly filters: Filters }): ReactNode {
  return (
    <label className="filter">
      <span>{T.rates.day}</span>
      <input
        type="date"
        value={filters.of('day')}
        onChange={({ target }) => filters.set('day', target.value)}
      />
    </label>
  );
}

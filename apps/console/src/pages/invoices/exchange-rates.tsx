import type { Reply } from 'commerce-service-client';
import { useState, type ReactNode } from 'react';

import { calendarDay, moment } from '../../app/format';
import { useClient } from '../../app/session';
import { FilterBar } from '../../lists/filters/filter-bar';
import { useFilters } from '../../lists/filters/filters';
import { RecordList, type Column, type PageQuery } from '../../lists/record-list';
import { T } from '../../texts';
import { Icon } from '../../ui/icon';
import { Button, PageHead } from '../../ui/parts';
import { NewRate } from './new-rate';
import { CurrencyFilter, DayFilter } from './rate-filters';
import { WaitingInvoices } from './waiting-invoices';

type Rate = Reply<'/exchange_rates', 'get'>[number];

const COLUMNS: readonly Column<Rate>[] = [
  { title: T.rates.day, show: ({ day }) => <span className="strong">{calendarDay(day)}</span> },
  { title: T.rates.currency, minor: true, show: ({ currency }) => currency },
  { title: T.rates.rate, align: 'right', show: ({ currency, rate }) => T.rates.euro(currency, String(rate)) },
  { title: T.rates.set, minor: true, align: 'right', show: ({ updated }) => moment(updated) },
];

/** The rates of the euro by which invoices state VAT in the seller's currency, the latest day first. */
export default function ExchangeRates(): ReactNode {
  const client = useClient();
  const filters = useFilters();
  const [sets, setSets] = useState(false);
  const { query } = filters;
  const load = (page: PageQuery): Promise<Rate[]> =>
    client.get('/exchange_rates', { params: { query: { ...page, ...query } } });
  return (
    <>
      <PageHead title={T.rates.title} lead={T.rates.lead}>
        <Button primary onClick={() => setSets(true)}>
          <Icon name="plus" />
          {T.rates.new}
        </Button>
      </PageHead>
      <WaitingInvoices />
      <FilterBar filters={filters}>
        <CurrencyFilter filters={filters} />
        <DayFilter filters={filters} />
      </FilterBar>
      <RecordList
        title={T.rates.title}
        of={['/exchange_rates', query]}
        columns={COLUMNS}
        empty={Object.keys(query).length > 0 ? T.rates.noMatch : T.rates.empty}
        load={load}
      />
      {sets && <NewRate currency={filters.of('currency')} onClose={() => setSets(false)} />}
    </>
  );
}

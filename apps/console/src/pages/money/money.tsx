import { useQueries, useQuery } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';

import { now } from '../../app/clock';
import { count, money, month as monthName, roundMoney } from '../../app/format';
import { paymentsAt } from '../../app/links';
import { useClient } from '../../app/session';
import { T } from '../../texts';
import { Note, PageHead, Section, Trouble } from '../../ui/parts';
import { Bars, type Bar } from './bars';
import { Debts } from './debts';
import { openFailures } from './open-failures';
import { RecurringRevenue } from './recurring-revenue';

type Totals = Reply<'/payments/totals', 'get'>['totals'][number];
type Dunning = Reply<'/operations', 'get'>['dunning'][number];

/** The number of past months shown, the current one included. */
const PAST = 6;
const FUTURE = 12;

const AGAIN_MS = 10_000;

interface Month {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The collected, expected and endangered revenue. */
export default function Money(): ReactNode {
  const [clock, setClock] = useState('');
  const [wanted, setCurrency] = useState('');
  const past = usePast(clock);
  const forecast = useForecast(clock);
  const found = new Set([
    ...past.months.flatMap(({ totals }) => totals.map(({ currency }) => currency)),
    ...(forecast.data?.amounts ?? []).map(({ currency }) => currency),
  ]);
  const currencies = [...found].sort();
  const currency = currencies.includes(wanted) ? wanted : (currencies[0] ?? '');
  return (
    <>
      <PageHead title={T.nav.money} lead={T.money.lead}>
        <ClockChoice clock={clock} setClock={setClock} />
        {currencies.length > 1 && (
          <select
            aria-label={T.money.currency}
            value={currency}
            onChange={({ target }) => setCurrency(target.value)}
          >
            {currencies.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        )}
      </PageHead>
      <Trouble error={past.error} />
      {currency === '' && past.error === null && <Empty isPending={past.isPending || forecast.isPending} />}
      {currency !== '' && (
        <>
          <Tiles months={past.months} currency={currency} clock={clock} />
          <Section title={T.money.bars} aside={<span className="quiet small">{noteOf(forecast)}</span>}>
            <Bars bars={barsOf(past.months, forecast.data, currency)} currency={currency} clock={clock} />
          </Section>
          <RecurringRevenue currency={currency} clock={clock} />
          <Debts currency={currency} clock={clock} />
        </>
      )}
    </>
  );
}

type PastMonth = Month & { readonly totals: readonly Totals[] };

function usePast(test_clock: string) {
  const client = useClient();
  return useQueries({
    queries: pastMonths().map(({ from, to, ...month }) => {
      const query = { from_date: from, to_date: to, ...(test_clock === '' ? {} : { test_clock }) };
      return {
        queryKey: ['/payments/totals', query],
        queryFn: async () => ({
          ...month,
          from,
          to,
          totals: (await client.get('/payments/totals', { params: { query } })).totals,
        }),
      };
    }),
    combine: (all) => ({
      months: all.flatMap(({ data }): PastMonth[] => (data === undefined ? [] : [data])),
      error: all.find((one) => one.error !== null)?.error ?? null,
      isPending: all.some((one) => one.isPending),
    }),
  });
}

function pastMonths(): Month[] {
  const today = new Date(now());
  return Array.from({ length: PAST }, (_, index) => {
    const start = (offset: number): number =>
      Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - PAST + 1 + index + offset, 1);
    return { name: new Date(start(0)).toISOString().slice(0, 7), from: start(0), to: start(1) };
  });
}

function useForecast(test_clock: string) {
  const client = useClient();
  const query = { months: FUTURE, ...(test_clock === '' ? {} : { test_clock }) };
  return useQuery({
    queryKey: ['/forecast', query],
    queryFn: () => client.get('/forecast', { params: { query } }),
    staleTime: 60_000,
    // It goes on when nobody waits: asked again, it is there.
    refetchInterval: ({ state }) => (state.error === null ? false : AGAIN_MS),
  });
}

function noteOf({ data, error }: ReturnType<typeof useForecast>): string {
  if (data !== undefined) return T.money.from(count(data.subscriptions), data.not_included);
  return error === null ? T.money.computing : T.money.computingLong;
}

/** Leads to the first thing to do. */
function Empty({ isPending }: { readonly isPending: boolean }): ReactNode {
  if (isPending) return <Note>{T.loading}</Note>;
  return (
    <div className="note">
      <p>{T.money.none}</p>
      <p className="actions centred">
        <Link href="/plans" className="button primary">
          {T.money.firstPlan}
        </Link>
        <Link href="/products" className="button">
          {T.money.firstProduct}
        </Link>
      </p>
    </div>
  );
}

function barsOf(
  months: readonly PastMonth[],
  forecast: Reply<'/forecast', 'get'> | undefined,
  currency: string,
): readonly Bar[] {
  const bars = new Map<string, Bar>();
  const totals = months.map((month) => month.totals.find((total) => total.currency === currency));
  // Whole numbers, so that what is subtracted again and again stays exact.
  const minor = (amount = 0): number => Math.round(amount * 1000);
  const open = openFailures(
    totals.map((one) => ({
      failed: minor(one?.failed) - minor(one?.failed_again),
      recovered: minor(one?.recovered),
    })),
  );
  for (const [index, { name, from, to }] of months.entries()) {
    const failed = (open[index] ?? 0) / 1000;
    bars.set(name, { month: name, collected: totals[index]?.collected ?? 0, failed, ahead: 0, from, to });
  }
  for (const { month, amount } of (forecast?.amounts ?? []).filter((one) => one.currency === currency)) {
    const before = bars.get(month) ?? { month, collected: 0, failed: 0, from: null, to: null };
    bars.set(month, { ...before, ahead: amount });
  }
  return [...bars.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
}

interface TilesProps {
  readonly months: readonly PastMonth[];
  readonly currency: string;
  /** Empty for real time. */
  readonly clock: string;
}

/** The totals of the shown months; each number links to its payments. */
function Tiles({ months, currency, clock }: TilesProps): ReactNode {
  const all = months.flatMap(({ totals }) => totals.filter((total) => total.currency === currency));
  const sum = (of: Exclude<keyof Totals, 'currency'>): number =>
    all.reduce((total, one) => total + one[of], 0);
  // A payment that failed before the first month and was collected since is no failure of these months.
  const notCollected = Math.max(0, sum('failed') - sum('failed_again') - sum('recovered'));
  const from = months[0]?.from ?? 0;
  const listOf = (status: string): string => paymentsAt({ status, currency, from_date: String(from) }, clock);
  const amounts = [
    {
      name: T.money.collected,
      tone: 'good',
      amount: sum('collected'),
      to: listOf('SUCCEEDED'),
    },
    { name: T.money.notCollected, tone: 'bad', amount: notCollected, to: listOf('FAILED') },
    {
      name: T.money.auth,
      tone: 'warn',
      amount: sum('at_risk'),
      to: listOf('REQUIRES_AUTH'),
    },
    {
      name: T.money.refunded,
      tone: '',
      amount: sum('refunded'),
      to: listOf('PARTIALLY_REFUNDED'),
    },
  ];
  return (
    <div className="tiles">
      {amounts.map(({ name, tone, amount, to }) => (
        <Link key={name} href={to} className={`tile ${amount > 0 ? tone : ''}`}>
          <span className="name">{name}</span>
          <span className="value">{roundMoney(amount, currency)}</span>
          <span className="quiet small">{T.money.since(monthName(from))}</span>
        </Link>
      ))}
      {clock === '' && <AtRisk currency={currency} />}
    </div>
  );
}

/** The subscriptions now in dunning. */
function AtRisk({ currency }: { readonly currency: string }): ReactNode {
  const client = useClient();
  const { data } = useQuery({ queryKey: ['/operations'], queryFn: () => client.get('/operations') });
  const all: readonly Dunning[] = (data?.dunning ?? []).filter((one) => one.currency === currency);
  return all.map(({ collection_state: state, subscriptions, outstanding_amount }) => (
    <Link
      key={state}
      href={`/subscriptions?collection_state=${state}&currency=${currency}&real_time=true`}
      className="tile warn"
    >
      <span className="name">{T.money.atRisk[state]}</span>
      <span className="value">{count(subscriptions)}</span>
      <span className="quiet small">{T.money.owed(subscriptions, money(outstanding_amount, currency))}</span>
    </Link>
  ));
}

interface ClockChoiceProps {
  readonly clock: string;
  readonly setClock: (id: string) => void;
}

function ClockChoice({ clock, setClock }: ClockChoiceProps): ReactNode {
  const client = useClient();
  const { data = [] } = useQuery({
    queryKey: ['/test_clocks', 'choice'],
    queryFn: () => client.get('/test_clocks', { params: { query: { size: 50 } } }),
  });
  if (data.length === 0) return null;
  return (
    <select aria-label={T.money.whose} value={clock} onChange={({ target }) => setClock(target.value)}>
      <option value="">{T.realTime}</option>
      {data.map(({ _id, name }) => (
        <option key={_id} value={_id}>
          {T.money.onClock(name ?? T.unnamed)}
        </option>
      ))}
    </select>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';

import { count, money, month as monthName, roundMoney, shortMoney } from '../../app/format';
import { percentOf } from '../../app/percent';
import { useClient } from '../../app/session';
import { ShortTable } from '../../lists/short-table';
import type { Column } from '../../lists/record-list';
import { T } from '../../texts';
import { Facts } from '../../ui/facts';
import { Note, Section, Trouble } from '../../ui/parts';
import { isLabelled, labelEvery } from './labels';

type Month = Reply<'/revenue', 'get'>['months'][number];

const MONTHS = 12;
const AGAIN_MS = 10_000;

const STEP = 56;
const BAR = 40;
const TOP = 24;
const BASE = 150;
/** Lost revenue lies below the line. */
const BELOW = 60;
const HEIGHT = BASE + BELOW + 26;

interface RecurringRevenueProps {
  readonly currency: string;
  /** Empty for real time. */
  readonly clock: string;
}

/** Recurring revenue by month, and what changed it. */
export function RecurringRevenue({ currency, clock }: RecurringRevenueProps): ReactNode {
  const client = useClient();
  const query = { months: MONTHS, ...(clock === '' ? {} : { test_clock: clock }) };
  const { data, error } = useQuery({
    queryKey: ['/revenue', query],
    queryFn: () => client.get('/revenue', { params: { query } }),
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.error === null ? false : AGAIN_MS),
  });
  const months = data?.months.filter((month) => month.currency === currency) ?? [];
  return (
    <Section title={T.revenue.title} aside={<span className="quiet small">{T.revenue.lead}</span>}>
      <Trouble error={error} />
      {data === undefined && error === null && <Note>{T.loading}</Note>}
      {data !== undefined && months.length === 0 && <Note>{T.revenue.none}</Note>}
      {months.length > 0 && <Shown months={months} currency={currency} />}
    </Section>
  );
}

interface ShownProps {
  readonly months: readonly Month[];
  readonly currency: string;
}

function Shown({ months, currency }: ShownProps): ReactNode {
  const now = months.at(-1);
  if (now === undefined) return null;
  const facts = [
    [T.revenue.recurring, roundMoney(now.recurring, currency)],
    [T.revenue.subscriptions, count(now.subscriptions)],
    [T.revenue.added, money(now.added + now.resumed, currency)],
    [T.revenue.changed, money(now.expanded - now.contracted, currency)],
    [T.revenue.lost, money(now.lost, currency)],
    [T.revenue.churn, churnOf(now)],
  ] as const;
  return (
    <>
      <Facts facts={facts} isNarrow />
      <p className="quiet small note-below">
        {T.revenue.thisMonth(monthName(Date.parse(`${now.month}-01`)))}
      </p>
      <Chart months={months} currency={currency} />
      <details className="bars-table">
        <summary>{T.money.asTable}</summary>
        <ShortTable title={T.revenue.title} columns={columnsIn(currency)} rows={months.toReversed()} />
      </details>
    </>
  );
}

function Chart({ months, currency }: ShownProps): ReactNode {
  const most = Math.max(1, ...months.map(({ recurring }) => recurring));
  const mostLost = Math.max(...months.map(({ lost, contracted }) => lost + contracted), most / 4);
  const labels = months.map(({ recurring }) => (recurring > 0 ? shortMoney(recurring, currency) : ''));
  const every = labelEvery(labels, STEP);
  const width = months.length * STEP + 24;
  return (
    <>
      <div className="bars" tabIndex={0} role="region" aria-label={T.revenue.bars}>
        <svg
          viewBox={`0 0 ${String(width)} ${String(HEIGHT)}`}
          style={{ minWidth: width, maxWidth: width * 1.2 }}
          role="img"
          aria-label={T.revenue.bars}
        >
          <line className="rail" x1="0" x2={width} y1={BASE} y2={BASE} />
          {months.map((month, index) => (
            <MonthBar
              key={month.month}
              {...{ month, currency }}
              x={12 + index * STEP}
              up={(amount) => (amount / most) * (BASE - TOP)}
              down={(amount) => (amount / mostLost) * BELOW}
              label={isLabelled(index, months.length, every) ? (labels[index] ?? '') : ''}
            />
          ))}
        </svg>
      </div>
      <p className="legend">
        <span className="key ahead">{T.revenue.kept}</span>
        <span className="key collected">{T.revenue.grown}</span>
        <span className="key failed">{T.revenue.gone}</span>
      </p>
    </>
  );
}

interface MonthBarProps {
  readonly month: Month;
  readonly currency: string;
  readonly x: number;
  readonly up: (amount: number) => number;
  readonly down: (amount: number) => number;
  readonly label: string;
}

function MonthBar({ month, currency, x, up, down, label }: MonthBarProps): ReactNode {
  const { recurring, added, resumed, expanded, contracted, lost } = month;
  const grown = Math.min(recurring, added + resumed + expanded);
  const parts = [
    {
      is: 'ahead',
      y: BASE - up(recurring - grown),
      height: up(recurring - grown),
      amount: recurring - grown,
    },
    { is: 'collected', y: BASE - up(recurring), height: up(grown), amount: grown },
    { is: 'failed', y: BASE + 1, height: down(lost + contracted), amount: lost + contracted },
  ];
  return (
    <g className="bar">
      {parts.map(({ is, y, height, amount }) =>
        amount <= 0 ? null : (
          <rect key={is} className={is} x={x} y={y} width={BAR} height={Math.max(2, height - 1)} rx="4">
            <title>{`${titleOf(is)}: ${money(amount, currency)}`}</title>
          </rect>
        ),
      )}
      <text className="sum" x={x + BAR / 2} y={BASE - up(recurring) - 8} textAnchor="middle">
        {label}
      </text>
      <text x={x + BAR / 2} y={HEIGHT - 8} textAnchor="middle">
        {monthName(Date.parse(`${month.month}-01`))}
      </text>
    </g>
  );
}

function titleOf(part: string): string {
  return part === 'ahead' ? T.revenue.kept : part === 'collected' ? T.revenue.grown : T.revenue.gone;
}

function churnOf({ churn }: Month): string {
  return churn === null ? T.none : `${percentOf(Math.round(churn * 1000) / 1000)} %`;
}

function columnsIn(currency: string): readonly Column<Month>[] {
  const amount = (title: string, of: (month: Month) => number, minor = true): Column<Month> => ({
    title,
    align: 'right',
    minor,
    show: (month) => money(of(month), currency),
  });
  return [
    { title: T.money.month, show: ({ month }) => monthName(Date.parse(`${month}-01`)) },
    amount(T.revenue.recurring, ({ recurring }) => recurring, false),
    amount(T.revenue.added, ({ added }) => added),
    amount(T.revenue.resumed, ({ resumed }) => resumed),
    amount(T.revenue.expanded, ({ expanded }) => expanded),
    amount(T.revenue.contracted, ({ contracted }) => contracted),
    amount(T.revenue.lost, ({ lost }) => lost, false),
    { title: T.revenue.churn, align: 'right', show: churnOf },
    {
      title: T.revenue.subscriptions,
      align: 'right',
      minor: true,
      show: ({ subscriptions }) => count(subscriptions),
    },
  ];
}

import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';

import { money, month as monthName, shortMoney } from '../../app/format';
import { paymentsAt } from '../../app/links';
import { T } from '../../texts';
import { isLabelled, labelEvery } from './labels';

export interface Bar {
  /** `2026-01`. */
  readonly month: string;
  readonly collected: number;
  readonly failed: number;
  readonly ahead: number;
  /** The start of the month in milliseconds; null for future months. */
  readonly from: number | null;
  readonly to: number | null;
}

const HEIGHT = 260;
const TOP = 30;
const BASE = HEIGHT - 30;
const BAR = 40;
const STEP = 56;

interface BarsProps {
  readonly bars: readonly Bar[];
  readonly currency: string;
  /** Empty for real time. */
  readonly clock: string;
}

/** The collected, failed and expected amounts by month; the table below has the same numbers. */
export function Bars({ bars, currency, clock }: BarsProps): ReactNode {
  const most = Math.max(1, ...bars.map(({ collected, failed, ahead }) => collected + failed + ahead));
  const width = bars.length * STEP + 24;
  const frame = useRef<HTMLDivElement>(null);
  const labels = bars.map((bar) => sumOf(bar, currency));
  const every = labelEvery(labels, STEP);
  const past = bars.filter(({ from }) => from !== null).length;
  // When not all months fit, scrolls to the current ones.
  useEffect(() => {
    if (frame.current !== null) frame.current.scrollLeft = Math.max(0, past - 3) * STEP;
  }, [past]);
  return (
    <>
      <div ref={frame} className="bars" tabIndex={0} role="region" aria-label={T.money.bars}>
        <svg
          viewBox={`0 0 ${String(width)} ${String(HEIGHT)}`}
          style={{ minWidth: width }}
          role="img"
          aria-label={T.money.bars}
        >
          <line className="rail" x1="0" x2={width} y1={BASE} y2={BASE} />
          {bars.map((bar, index) => (
            <Column
              key={bar.month}
              {...{ bar, most, currency, clock }}
              x={12 + index * STEP}
              label={isLabelled(index, bars.length, every) ? (labels[index] ?? '') : ''}
            />
          ))}
        </svg>
      </div>
      <p className="legend">
        <span className="key collected">{T.money.collected}</span>
        <span className="key failed">{T.money.failed}</span>
        <span className="key ahead">{T.money.ahead}</span>
      </p>
      <details className="bars-table">
        <summary>{T.money.asTable}</summary>
        <MonthTable bars={bars} currency={currency} clock={clock} />
      </details>
    </>
  );
}

interface ColumnProps {
  readonly bar: Bar;
  readonly most: number;
  readonly x: number;
  /** The sum above the bar; empty where it would overlap its neighbours. */
  readonly label: string;
  readonly currency: string;
  readonly clock: string;
}

function sumOf({ collected, failed, ahead }: Bar, currency: string): string {
  return collected + failed + ahead > 0 ? shortMoney(collected + ahead, currency) : '';
}

function Column({ bar, most, x, label, currency, clock }: ColumnProps): ReactNode {
  const [, navigate] = useLocation();
  const { month, collected, failed, ahead, from, to } = bar;
  const scale = (BASE - TOP) / most;
  const parts = [
    { is: 'collected', amount: collected },
    { is: 'failed', amount: failed },
    { is: 'ahead', amount: ahead },
  ];
  let y = BASE;
  const open = (): void => {
    if (from === null || to === null) return;
    navigate(paymentsAt({ from_date: String(from), to_date: String(to), currency }, clock));
  };
  return (
    <g className={from === null ? 'bar' : 'bar linked'} onClick={open}>
      {parts.map(({ is, amount }) => {
        const height = amount * scale;
        y -= height;
        if (amount <= 0) return null;
        return (
          <rect key={is} className={is} x={x} y={y} width={BAR} height={Math.max(2, height - 1)} rx="5">
            <title>{`${T.money[is as 'ahead']}: ${money(amount, currency)}`}</title>
          </rect>
        );
      })}
      <text className="sum" x={x + BAR / 2} y={y - 8} textAnchor="middle">
        {label}
      </text>
      <text x={x + BAR / 2} y={BASE + 20} textAnchor="middle">
        {monthName(Date.parse(`${month}-01`))}
      </text>
    </g>
  );
}

function MonthTable({ bars, currency, clock }: BarsProps): ReactNode {
  return (
    <table aria-label={T.money.bars}>
      <thead>
        <tr>
          <th scope="col">{T.money.month}</th>
          <th scope="col" className="right">
            {T.money.collected}
          </th>
          <th scope="col" className="right">
            {T.money.failed}
          </th>
          <th scope="col" className="right">
            {T.money.ahead}
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ month, collected, failed, ahead, from, to }) => (
          <tr key={month}>
            <th scope="row">
              {from === null || to === null ? (
                monthName(Date.parse(`${month}-01`))
              ) : (
                <Link href={paymentsAt({ from_date: String(from), to_date: String(to), currency }, clock)}>
                  {monthName(Date.parse(`${month}-01`))}
                </Link>
              )}
            </th>
            <td className="right">{money(collected, currency)}</td>
            <td className="right">{money(failed, currency)}</td>
            <td className="right">{money(ahead, currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

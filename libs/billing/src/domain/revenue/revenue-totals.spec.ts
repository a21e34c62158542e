import fc from 'fast-check';

import { RevenueTotals, type RevenueStep } from './revenue-totals.js';

const STARTS = [0, 1, 2].map((month) => ({
  month: `2026-0${String(month + 1)}`,
  from: new Date(Date.UTC(2026, month, 1)),
}));
const at = (month: number, day: number): Date => new Date(Date.UTC(2026, month - 1, day));

const none = { added: 0, resumed: 0, expanded: 0, contracted: 0, lost: 0 };

function monthsOf(...histories: readonly (readonly RevenueStep[])[]) {
  const totals = new RevenueTotals(STARTS);
  for (const history of histories) totals.add('EUR', history);
  return totals.months();
}

describe('RevenueTotals', () => {
  it('tells new, higher, lower, paused, resumed and lost revenue apart', () => {
    const paying = [{ from: new Date(Date.UTC(2025, 10, 3)), minor: 10_000 }];
    const changing = [
      { from: at(1, 1), minor: 3000 },
      { from: at(1, 20), minor: 6000 },
      { from: at(2, 5), minor: 5000 },
      { from: at(2, 10), minor: null },
      { from: at(3, 1), minor: 5000 },
    ];
    const lost = [
      { from: new Date(Date.UTC(2025, 11, 31)), minor: 2500 },
      { from: at(2, 28), minor: null },
    ];
    expect(monthsOf(paying, changing, lost)).toEqual([
      {
        month: '2026-01',
        currency: 'EUR',
        recurring: 185,
        subscriptions: 3,
        ...none,
        added: 30,
        expanded: 30,
        churn: 0,
      },
      {
        month: '2026-02',
        currency: 'EUR',
        recurring: 100,
        subscriptions: 1,
        ...none,
        contracted: 10,
        lost: 75,
        churn: 0.4054,
      },
      { month: '2026-03', currency: 'EUR', recurring: 150, subscriptions: 2, ...none, resumed: 50, churn: 0 },
    ]);
  });

  it('has every month of each currency, and no churn without revenue before', () => {
    const totals = new RevenueTotals(STARTS);
    totals.add('USD', [{ from: at(3, 9), minor: 100 }]);
    totals.add('JPY', [{ from: at(1, 9), minor: 100 }]);
    const shown = totals
      .months()
      .map(({ month, currency, recurring, churn }) => [month, currency, recurring, churn]);
    expect(shown).toEqual([
      ['2026-01', 'JPY', 100, null],
      ['2026-01', 'USD', 0, null],
      ['2026-02', 'JPY', 100, 0],
      ['2026-02', 'USD', 0, null],
      ['2026-03', 'JPY', 100, 0],
      ['2026-03', 'USD', 1, null],
    ]);
  });

  it('adds up: each month ends with what it began with and its movements', () => {
    const step = fc.record({
      from: fc.integer({ min: Date.UTC(2025, 9, 1), max: Date.UTC(2026, 2, 31) }).map((ms) => new Date(ms)),
      minor: fc.option(fc.integer({ min: 0, max: 10 ** 9 })),
    });
    const history = fc
      .array(step, { maxLength: 12 })
      .map((steps) => steps.sort((a, b) => Number(a.from) - Number(b.from)));
    fc.assert(
      fc.property(fc.array(history, { maxLength: 20 }), (histories) => {
        const minor = (amount: number): number => Math.round(amount * 100);
        const last = histories.map((steps) => steps.at(-1)?.minor ?? null);
        const months = monthsOf(...histories);
        let opening: number | null = null;
        for (const { recurring, added, resumed, expanded, contracted, lost } of months) {
          const moved = minor(added) + minor(resumed) + minor(expanded) - minor(contracted) - minor(lost);
          if (opening !== null) expect(minor(recurring)).toBe(opening + moved);
          opening = minor(recurring);
        }
        if (months.length === 0) return;
        expect(opening).toBe(last.reduce<number>((sum, one) => sum + (one ?? 0), 0));
        expect(months.at(-1)?.subscriptions).toBe(last.filter((one) => one !== null).length);
      }),
    );
  });
});

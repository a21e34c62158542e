import { ForecastTotals, endOfMonths, monthOf } from './forecast.js';

const at = (text: string): Date => new Date(text);

describe('the months of a forecast', () => {
  it('are those of the wall clock', () => {
    expect(monthOf(at('2025-12-31T23:30:00Z'), 'Europe/Berlin')).toBe('2026-01');
    expect(monthOf(at('2025-12-31T23:30:00Z'), 'UTC')).toBe('2025-12');
  });

  it('begin with the rest of the current one', () => {
    expect(endOfMonths(at('2025-11-21T12:00:00Z'), 1, 'UTC')).toEqual(at('2025-12-01T00:00:00Z'));
    expect(endOfMonths(at('2025-11-21T12:00:00Z'), 6, 'Europe/Berlin')).toEqual(at('2026-04-30T22:00:00Z'));
    expect(endOfMonths(at('2025-01-31T12:00:00Z'), 36, 'UTC')).toEqual(at('2028-01-01T00:00:00Z'));
  });
});

describe('the amounts of a forecast', () => {
  it('are exact sums by month and currency', () => {
    const totals = new ForecastTotals('UTC');
    totals.add({ date: at('2026-02-01'), amount_minor: 500, credit_minor: 100, currency: 'USD' });
    for (let i = 0; i < 3; i += 1)
      totals.add({ date: at('2026-01-15'), amount_minor: 10, credit_minor: 20, currency: 'EUR' });
    totals.add({ date: at('2026-01-31T23:59:59.999Z'), amount_minor: 100, credit_minor: 0, currency: 'JPY' });
    expect(totals.amounts()).toEqual([
      { month: '2026-01', currency: 'EUR', amount: 0.3, credit_applied: 0.6, charges: 3 },
      { month: '2026-01', currency: 'JPY', amount: 100, credit_applied: 0, charges: 1 },
      { month: '2026-02', currency: 'USD', amount: 5, credit_applied: 1, charges: 1 },
    ]);
  });
});

import type { Discount } from '../pricing/discount.js';
import { monthlyMinor, recurringAfter, recurringHistory, type RecurringSince } from './recurring.js';

const PLAN = '65b9a1c2d3e4f50617283941';
const OTHER = '65b9a1c2d3e4f50617283942';
const date = (text: string): Date => new Date(`${text}T00:00:00Z`);

function fields(changes: Partial<RecurringSince> & { readonly of?: string } = {}): RecurringSince {
  const { of = PLAN, ...others } = changes;
  return {
    plan: { toHexString: () => of },
    quantity: 1,
    discount_terms: null,
    active: true,
    in_trial: false,
    recurring: [],
    starting_date: date('2026-01-10'),
    trial_ending_date: null,
    ...others,
  };
}

const forever: Discount = {
  off: { percent_off: 0.1 },
  from: 0,
  until: null,
  coupon: 'c',
  code: 'C',
  plans: null,
};

describe('recurringAfter', () => {
  it('notes each change of what counts, and nothing else', () => {
    const created = fields({ active: false, starting_date: null });
    const started = recurringAfter(created, fields(), date('2026-01-10'));
    expect(started).toEqual([{ from: date('2026-01-10'), terms: { plan: PLAN, quantity: 1 } }]);
    const active = fields({ recurring: started });
    expect(recurringAfter(active, fields(), date('2026-02-10'))).toBe(started);
    const changed = recurringAfter(active, fields({ of: OTHER, quantity: 3 }), date('2026-03-01'));
    expect(changed.at(-1)).toEqual({ from: date('2026-03-01'), terms: { plan: OTHER, quantity: 3 } });
    const stopped = recurringAfter(
      fields({ of: OTHER, quantity: 3, recurring: changed }),
      fields({ of: OTHER, quantity: 3, active: false }),
      date('2026-04-01'),
    );
    expect(stopped).toEqual([...changed, { from: date('2026-04-01'), terms: null }]);
  });

  it('does not count a trial', () => {
    const trial = fields({ in_trial: true });
    expect(recurringAfter(trial, fields({ in_trial: true }), date('2026-01-11'))).toEqual([]);
    expect(recurringAfter(trial, fields(), date('2026-01-24'))).toHaveLength(1);
  });

  it('notes a discount without an end, but none that ends by itself', () => {
    const before = fields();
    const once = fields({ discount_terms: { ...forever, until: 1 } });
    expect(recurringAfter(before, once, date('2026-02-01'))).toBe(before.recurring);
    const after = recurringAfter(before, fields({ discount_terms: forever }), date('2026-02-01'));
    expect(after.at(-1)?.terms).toEqual({ plan: PLAN, quantity: 1, discount: forever });
  });

  it('takes the terms of an older record as those since its start', () => {
    expect(recurringHistory(fields())).toEqual([
      { from: date('2026-01-10'), terms: { plan: PLAN, quantity: 1 } },
    ]);
    expect(recurringHistory(fields({ active: false }))).toEqual([]);
    const after = recurringAfter(fields(), fields({ active: false }), date('2026-02-01'));
    expect(after.map(({ terms }) => terms?.quantity ?? null)).toEqual([1, null]);
  });

  it('forgets the oldest of very many changes', () => {
    const recurring = Array.from({ length: 60 }, (_, index) => ({
      from: new Date(index),
      terms: { plan: PLAN, quantity: index + 1 },
    }));
    const before = fields({ quantity: 60, recurring });
    const after = recurringAfter(before, fields({ quantity: 61 }), new Date(60));
    expect(after.map(({ terms }) => terms?.quantity)).toEqual(recurring.map((_, index) => index + 2));
  });
});

describe('monthlyMinor', () => {
  const price = (total_amount: number, currency = 'EUR', quantity = 1) =>
    ({ currency, tax_behavior: 'inclusive', total_amount, items: [], quantity }) as const;
  const every = (interval_unit: 'DAY' | 'WEEK' | 'MONTH' | 'MONTH_END' | 'ANNUAL', interval_count = 1) =>
    ({ interval_unit, interval_count, billing_interval: 'MONTH', billing_interval_count: 1 }) as const;

  it.each([
    [price(29.9), every('MONTH'), 2990],
    [price(29.9, 'EUR', 3), every('MONTH_END'), 8970],
    [price(84), every('MONTH', 3), 2800],
    [price(1000), every('ANNUAL'), 8333],
    [price(300), every('ANNUAL', 2), 1250],
    [price(7), every('WEEK'), 3033],
    [price(10), every('WEEK', 4), 1083],
    [price(1), every('DAY'), 3042],
    [price(1200, 'JPY'), every('ANNUAL'), 100],
    [price(100, 'KWD'), every('ANNUAL'), 8330],
  ])('makes %j, %j, to %d minor units a month', (input, plan, expected) => {
    expect(monthlyMinor(input, plan)).toBe(expected);
  });

  it('takes off a discount', () => {
    const discount = { off: { percent_off: 0.25 }, from: 0, until: null };
    expect(monthlyMinor({ ...price(40), discount }, every('MONTH'))).toBe(3000);
  });
});

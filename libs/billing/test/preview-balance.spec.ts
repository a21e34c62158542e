import { isFault } from '@commerce/kernel';
import fc from 'fast-check';

import type { PreviewedCharge } from '../src/domain/ahead/lookahead.js';
import { chargesAhead } from '../src/domain/ahead/charges-ahead.js';
import { previewCharges } from './previewed-charges.js';
import { BalanceScenario } from './balance-scenario.js';
import { HOUR, START } from './random-scenario.js';

const PLANS = {
  double: { price: 60 },
  half: { price: 15 },
  arrears: { price: 60, prepay: false },
  annual: { price: 300, interval_unit: 'ANNUAL' },
} as const;

function firstOf<T>(all: Iterable<T>, count: number): T[] {
  const first: T[] = [];
  for (const one of all) {
    first.push(one);
    if (first.length === count) break;
  }
  return first;
}

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, -1);

/** Date, part for the card and part that the balance pays. */
const facts = (charges: readonly PreviewedCharge[]): [string, number, number][] =>
  charges.map(({ date, amount, credit_applied }) => [
    date.toISOString().slice(0, 10),
    amount,
    credit_applied,
  ]);

function shown(
  scenario: BalanceScenario,
  balance_minor: number,
  minimum_minor = 0,
): readonly PreviewedCharge[] {
  return previewCharges(scenario.current, scenario.currentTerms, scenario.now, 3, {
    minimum_minor,
    balance_minor,
  });
}

describe('a preview with a balance', () => {
  it('states what the card pays, and the credit as the last part of the breakdown', () => {
    const charges = shown(new BalanceScenario().start('2026-01-01'), 4000);
    expect(facts(charges)).toEqual([
      ['2026-01-01', 0, 30],
      ['2026-02-01', 20, 10],
      ['2026-03-01', 30, 0],
    ]);
    expect(charges[1]?.breakdown.amount).toBe(20);
    expect(charges[1]?.breakdown.parts.at(-1)).toEqual({ kind: 'credit', amount: -10 });
    expect(charges[2]?.breakdown.parts).toHaveLength(1);
  });

  it('lets the card pay its minimum where the rest would be below it', () => {
    expect(facts(shown(new BalanceScenario().start('2026-01-01'), 2980, 50))).toEqual([
      ['2026-01-01', 0.5, 29.5],
      ['2026-02-01', 29.7, 0.3],
      ['2026-03-01', 30, 0],
    ]);
  });

  it('shows a charge below the minimum that the balance covers', () => {
    expect(facts(shown(new BalanceScenario({ price: 0.3 }).start('2026-01-01'), 30, 50))).toEqual([
      ['2026-01-01', 0, 0.3],
      ['2026-03-01', 0.6, 0],
      ['2026-05-01', 0.6, 0],
    ]);
  });

  it('adds the credit of a change', () => {
    const scenario = new BalanceScenario({ price: 60, plans: PLANS }).start('2026-04-01');
    scenario.runTo('2026-04-01').changePlan('2026-04-16', { plan: 'half' });
    expect(facts(shown(scenario, 100))).toEqual([
      ['2026-05-01', 0, 15],
      ['2026-06-01', 6.5, 8.5],
      ['2026-07-01', 15, 0],
    ]);
  });

  it('gives back to the balance what the balance paid, where a refund goes to the card', () => {
    const scenario = new BalanceScenario({ price: 60, plans: PLANS }).start('2026-04-01');
    const input = { at: new Date('2026-04-16'), credit: 'refund' } as const;
    scenario.changePlan('2026-04-01', { plan: 'half' }, input);
    // Of 60.00 the card pays 20.00; 22.50 come back, 20.00 of them to the card.
    expect(facts(shown(scenario, 4000))).toEqual([
      ['2026-04-01', 20, 40],
      ['2026-05-01', 12.5, 2.5],
      ['2026-06-01', 15, 0],
    ]);
  });
});

describe('subscriptions that share a balance', () => {
  it('take from it in the order of their charges', () => {
    const [first, second] = ['2026-01-10', '2026-01-05'].map((start) => {
      const { current: state, terms } = new BalanceScenario().start(start);
      return { state, terms, canPay: true, now: new Date(start) };
    });
    const charges = firstOf(chargesAhead([first!, second!], 7000), 4);
    expect(facts(charges)).toEqual([
      ['2026-01-05', 0, 30],
      ['2026-01-10', 0, 30],
      ['2026-02-05', 20, 10],
      ['2026-02-10', 30, 0],
    ]);
  });
});

describe('a trial without a payment method', () => {
  const plan = { trial_days: 14 };

  function ahead(scenario: BalanceScenario, balance_minor: number): PreviewedCharge[] {
    const { current: state, currentTerms: terms, now } = scenario;
    return firstOf(chargesAhead([{ state, terms, canPay: false, now }], balance_minor), 2);
  }

  it('ends where the balance pays the whole first charge, in advance or in arrears', () => {
    expect(facts(ahead(new BalanceScenario({ plan }).start('2026-01-01'), 3000))).toEqual([
      ['2026-01-15', 0, 30],
      ['2026-02-15', 30, 0],
    ]);
    const arrears = new BalanceScenario({ plan: { ...plan, prepay: false } }).start('2026-01-01');
    expect(facts(ahead(arrears, 3000))).toEqual([
      ['2026-02-15', 0, 30],
      ['2026-03-15', 30, 0],
    ]);
    expect(arrears.current.status).toBe('ACTIVE');
  });

  it('pauses where the balance lacks a cent, and where there is none', () => {
    const scenario = new BalanceScenario({ plan }).start('2026-01-01');
    expect([ahead(scenario, 2999), ahead(scenario, 0)]).toEqual([[], []]);
    const free = new BalanceScenario({ plan, price: 0 }).start('2026-01-01');
    expect(ahead(free, 0)).toEqual([]);
  });

  it('needs the debt too, where the first charge collects it', () => {
    const owing = new BalanceScenario({ plan: { ...plan, setup_fee: 5 } });
    owing.otherwise = 'hard';
    owing.start('2026-01-01').runTo('2026-01-02');
    expect(owing.it.outstanding_amount).toBe(5);
    expect(facts(ahead(owing, 3499))).toEqual([]);
    expect(facts(ahead(owing, 3500))[0]).toEqual(['2026-01-15', 0, 35]);
  });
});

const change = fc.record({
  hours: fc.integer({ min: 0, max: 24 * 50 }),
  plan: fc.constantFrom('first', 'double', 'half', 'arrears', 'annual'),
  quantity: fc.integer({ min: 1, max: 4 }),
  at: fc.constantFrom<'now' | 'period_end'>('now', 'now', 'period_end'),
});

describe('a preview after changes, with a balance', () => {
  it('shows the later charges', () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 4 }),
        fc.integer({ min: 0, max: 30_000 }),
        fc.constantFrom<'day' | 'second' | 'thirty'>('day', 'second', 'thirty'),
        (changes, balance_minor, proration_mode) => {
          const scenario = new BalanceScenario({ plans: PLANS, settings: { proration_mode } });
          scenario.balance_minor = balance_minor;
          scenario.start(iso(START));
          let at = START;
          for (const { hours, plan, quantity, at: when } of changes) {
            at += hours * HOUR;
            scenario.runTo(new Date(at));
            try {
              scenario.changePlan(iso(at), { plan, quantity }, { at: when });
            } catch (error) {
              if (!isFault(error)) throw error;
            }
          }
          const before = scenario.payments.length;
          const money = { balance_minor: scenario.balance_minor };
          const ahead = previewCharges(scenario.current, scenario.currentTerms, scenario.now, 8, money);
          expect(ahead).toHaveLength(8);
          scenario.runTo(ahead.at(-1)!.date);
          expect(scenario.charged.slice(before, before + ahead.length)).toEqual(ahead);
        },
      ),
      { numRuns: 300 },
    );
  });
});

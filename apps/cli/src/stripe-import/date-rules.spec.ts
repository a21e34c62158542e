import { CONTEXT, PRICE, SUBSCRIPTION } from './stripe-examples.spec-data.js';
import type { StripePrice, StripeSubscription } from './stripe-objects.js';
import { carryOver, type Carried } from './subscription-rules.js';

const seconds = (date: string): number => Date.parse(date) / 1000;
const at = (date: string): Date => new Date(`${date}T10:30:00Z`);

function carried(from: Partial<StripeSubscription>, price: Partial<StripePrice> = {}): Carried {
  const items = { data: [{ price: { ...PRICE, ...price }, quantity: 1 }] };
  return carryOver({ ...SUBSCRIPTION, items, ...from }, CONTEXT);
}

/** Begins periods on a day that its anchor may lack. */
function anchored(anchor: string, day_of_month: number, end: string): Partial<StripeSubscription> {
  return {
    billing_cycle_anchor: seconds(`${anchor}T10:30:00Z`),
    billing_cycle_anchor_config: { day_of_month },
    current_period_end: seconds(`${end}T10:30:00Z`),
  };
}

const quarter = { recurring: { interval: 'month', interval_count: 3 } };
const year = { recurring: { interval: 'year', interval_count: 1 } };

describe('the anchor of a subscription', () => {
  it.each<[string, string, number, string, Partial<StripePrice>, string]>([
    ['the 31st', '2025-11-30', 31, '2026-03-31', {}, '2025-10-31'],
    ['the 30th', '2025-02-28', 30, '2026-03-30', {}, '2025-01-30'],
    ['the 31st of each third month', '2025-11-30', 31, '2026-02-28', quarter, '2025-08-31'],
    ['29 February', '2025-02-28', 29, '2026-02-28', year, '2024-02-29'],
    ['the 28th', '2026-01-28', 28, '2026-02-28', {}, '2026-01-28'],
  ])('has the day of its configuration: %s', (_day, ...[anchor, day, end, price, moved]) => {
    const facts = { anchor: at(moved), next_date: at(end) };
    expect(carried(anchored(anchor, day, end), price)).toMatchObject({ subscription: { facts } });
  });

  it('is refused where it has another day', () => {
    expect(carried(anchored('2026-01-30', 31, '2026-02-28'))).toEqual({
      kind: 'left',
      why: ['its periods begin on day 31, which its anchor has not'],
    });
  });

  it('is refused where a period began on the day of the anchor', () => {
    // The configuration came after the period that ends on the 30th.
    expect(carried(anchored('2025-11-30', 31, '2026-03-30'))).toEqual({
      kind: 'left',
      why: ['its period does not end on a date counted from its anchor'],
    });
  });
});

describe('a subscription whose collection is paused', () => {
  const paused = (behavior: string, resumes: string | null): Partial<StripeSubscription> => ({
    billing_cycle_anchor: seconds('2026-01-28T10:30:00Z'),
    pause_collection: { behavior, resumes_at: resumes === null ? null : seconds(resumes) },
  });

  it.each(['void', 'mark_uncollectible'])(
    'is free until the first period after the pause (%s)',
    (behavior) => {
      const [anchor, next_date] = [at('2026-05-28'), at('2026-05-28')];
      expect(carried(paused(behavior, '2026-05-01'))).toMatchObject({
        subscription: {
          facts: { anchor, next_date, trial_ending_date: anchor, starting_date: at('2026-01-31') },
        },
      });
      expect(carried(paused(behavior, '2026-05-28T10:30:00Z'))).toMatchObject({
        subscription: { facts: { next_date } },
      });
    },
  );

  it('goes on where the pause ends within its period', () => {
    expect(carried(paused('void', '2026-02-20'))).toMatchObject({
      subscription: { facts: { next_date: at('2026-02-28'), trial_ending_date: null } },
    });
  });

  it.each<[string, Partial<StripeSubscription>]>([
    ['its collection is paused without an end', paused('void', null)],
    ['the invoices of its pause will be collected at Stripe', paused('keep_as_draft', '2026-05-01')],
    [
      'its collection is paused until a month that has no such day',
      { ...paused('void', '2026-04-01'), billing_cycle_anchor: seconds('2026-01-31T10:30:00Z') },
    ],
  ])('stays at Stripe: %s', (reason, from) => {
    expect(carried(from)).toEqual({ kind: 'left', why: [reason] });
  });
});

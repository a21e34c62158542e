import { PRICE, SUBSCRIPTION } from './stripe-examples.spec-data.js';
import type { StripePrice, StripeSubscription } from './stripe-objects.js';
import { carryOver } from './subscription-rules.js';

const NOW = new Date('2026-02-10T00:00:00Z');
const seconds = (date: string): number => Date.parse(date) / 1000;

function of(values: Partial<StripeSubscription> = {}, price: Partial<StripePrice> = {}): StripeSubscription {
  const item = { price: { ...PRICE, ...price }, quantity: 1 };
  return { ...SUBSCRIPTION, items: { data: [item] }, ...values };
}

function why(from: StripeSubscription): readonly string[] {
  const carried = carryOver(from, NOW);
  if (carried.kind !== 'left') throw new Error(`it was ${carried.kind}`);
  return carried.why;
}

describe("a subscription of Stripe's", () => {
  it('goes on at its next date, under its old anchor', () => {
    expect(carryOver(of(), NOW)).toEqual({
      kind: 'carried',
      subscription: {
        id: SUBSCRIPTION.id,
        customer: SUBSCRIPTION.customer,
        payment_method: null,
        plan: {
          key: 'price_1MoBy5LkdIwHu7ixZhnattbh*1',
          currency: 'USD',
          total_amount: 10,
          interval_unit: 'MONTH',
          items: [{ product: PRICE.product, quantity: 1 }],
        },
        facts: {
          starting_date: new Date('2026-01-31T10:30:00Z'),
          anchor: new Date('2026-01-31T10:30:00Z'),
          timezone: 'UTC',
          trial_ending_date: null,
          next_date: new Date('2026-02-28T10:30:00Z'),
          ending_date: null,
        },
      },
    });
  });

  it('has its period on its items since 2025, and may name things by whole objects', () => {
    const { current_period_end, ...rest } = of();
    const item = { price: PRICE, quantity: 3, current_period_end: current_period_end ?? 0 };
    const from = { ...rest, items: { data: [item] }, default_payment_method: { id: 'pm_1' } };
    expect(carryOver(from, NOW)).toMatchObject({
      kind: 'carried',
      subscription: { payment_method: 'pm_1', plan: { total_amount: 30 } },
    });
  });

  it('ends when it would have ended', () => {
    const at = seconds('2026-06-30T10:30:00Z');
    expect(carryOver(of({ cancel_at: at }), NOW)).toMatchObject({
      subscription: { facts: { ending_date: new Date('2026-06-30T10:30:00Z') } },
    });
    expect(carryOver(of({ cancel_at_period_end: true }), NOW)).toMatchObject({
      subscription: { facts: { ending_date: new Date('2026-02-28T10:30:00Z') } },
    });
  });

  it('is counted when it has ended', () => {
    expect(carryOver(of({ status: 'canceled' }), NOW)).toEqual({ kind: 'ended' });
  });

  it.each<[string, StripeSubscription]>([
    ['it is past_due: settle that at Stripe first', of({ status: 'past_due' })],
    ['it is paid by invoice, not by card', of({ collection_method: 'send_invoice' })],
    ['its collection is paused', of({ pause_collection: { behavior: 'void' } })],
    ['a schedule will change it', of({ schedule: 'sub_sched_1' })],
    ['it has a discount', of({ discounts: ['di_1'] })],
    ['its money goes to another account', of({ transfer_data: { destination: 'acct_1' } })],
    ['it has no items', of({ items: { data: [] }, current_period_end: seconds('2026-02-28T10:30:00Z') })],
    ['Stripe adds taxes to its prices', of({ automatic_tax: { enabled: true } })],
    [
      'its period has ended since the export: export it again',
      of({ current_period_end: seconds('2026-02-09') }),
    ],
    [
      'its period does not end on a date counted from its anchor',
      of({ current_period_end: seconds('2026-02-27T10:30:00Z') }),
    ],
    [
      'it is charged every 3 months; a plan is every day, week, month or year',
      of({}, { recurring: { interval: 'month', interval_count: 3 } }),
    ],
    [
      'it is charged every 4 weeks; a plan is every day, week, month or year',
      of({}, { recurring: { interval: 'week', interval_count: 4 } }),
    ],
    ['it is charged once; a plan is every day, week, month or year', of({}, { recurring: null })],
    [`${PRICE.id} is charged by use`, of({}, { recurring: { ...PRICE.recurring!, usage_type: 'metered' } })],
    [`${PRICE.id} has tiers`, of({}, { billing_scheme: 'tiered', unit_amount: null })],
  ])('stays at Stripe: %s', (reason, from) => {
    expect(why(from)).toContain(reason);
  });

  it.each([
    ['month', 12, '2027-01-31T10:30:00Z', 'ANNUAL'],
    ['day', 7, '2026-02-14T10:30:00Z', 'WEEK'],
  ])('every so many %ss continues when that is an interval of a plan: %i', (interval, count, end, unit) => {
    const from = of({ current_period_end: seconds(end) }, { recurring: { interval, interval_count: count } });
    expect(carryOver(from, NOW)).toMatchObject({
      kind: 'carried',
      subscription: { plan: { interval_unit: unit } },
    });
  });

  it('keeps prices that hold their taxes', () => {
    const from = of({ automatic_tax: { enabled: true } }, { tax_behavior: 'inclusive' });
    expect(carryOver(from, NOW).kind).toBe('carried');
  });

  it('reports every reason together', () => {
    expect(why(of({ schedule: 'sub_sched_1', discounts: ['di_1'] }))).toEqual([
      'a schedule will change it',
      'it has a discount',
    ]);
  });
});

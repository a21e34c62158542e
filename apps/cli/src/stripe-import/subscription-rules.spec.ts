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
          interval_count: 1,
          items: [{ product: PRICE.product, quantity: 1 }],
        },
        quantity: 1,
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
      subscription: { payment_method: 'pm_1', quantity: 3, plan: { total_amount: 10 } },
    });
  });

  it('shares a plan with other quantities of its price, unless it has several items', () => {
    const many = (quantity: number) => carryOver(of({ items: { data: [{ price: PRICE, quantity }] } }), NOW);
    expect(many(3)).toMatchObject({ subscription: { quantity: 3, plan: { key: `${PRICE.id}*1` } } });
    expect(many(0)).toMatchObject({ subscription: { quantity: 1, plan: { total_amount: 0 } } });
    const two = [
      { price: PRICE, quantity: 3 },
      { price: { ...PRICE, id: 'price_other' }, quantity: 1 },
    ];
    expect(carryOver(of({ items: { data: two } }), NOW)).toMatchObject({
      subscription: { quantity: 1, plan: { total_amount: 40, key: `${PRICE.id}*3 price_other*1` } },
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
      'it is charged every 90 days; a plan is every 60 days, weeks, months or years at most',
      of({}, { recurring: { interval: 'day', interval_count: 90 } }),
    ],
    [
      'it is charged once; a plan is every 60 days, weeks, months or years at most',
      of({}, { recurring: null }),
    ],
    [
      'its period does not end on a date counted from its anchor',
      of(
        { current_period_end: seconds('2026-03-31T10:30:00Z') },
        { recurring: { interval: 'month', interval_count: 3 } },
      ),
    ],
    [`${PRICE.id} is charged by use`, of({}, { recurring: { ...PRICE.recurring!, usage_type: 'metered' } })],
    [`${PRICE.id} has tiers`, of({}, { billing_scheme: 'tiered', unit_amount: null })],
  ])('stays at Stripe: %s', (reason, from) => {
    expect(why(from)).toContain(reason);
  });

  it.each([
    ['month', 12, '2027-01-31T10:30:00Z', 'ANNUAL', 1],
    ['month', 24, '2028-01-31T10:30:00Z', 'ANNUAL', 2],
    ['month', 3, '2026-04-30T10:30:00Z', 'MONTH', 3],
    ['week', 4, '2026-02-28T10:30:00Z', 'WEEK', 4],
    ['day', 7, '2026-02-14T10:30:00Z', 'WEEK', 1],
    ['day', 10, '2026-02-20T10:30:00Z', 'DAY', 10],
  ])('every so many %ss continues as an interval of a plan: %i', (interval, count, end, unit, of_them) => {
    const from = of({ current_period_end: seconds(end) }, { recurring: { interval, interval_count: count } });
    expect(carryOver(from, NOW)).toMatchObject({
      kind: 'carried',
      subscription: { plan: { interval_unit: unit, interval_count: of_them } },
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

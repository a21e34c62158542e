import { customerOf } from './customer-rules.js';
import { CONTEXT, CUSTOMER, PRICE, SUBSCRIPTION } from './stripe-examples.spec-data.js';
import type { StripeCustomer, StripePrice, StripeSubscription } from './stripe-objects.js';
import { carryOver, type Carried, type CarryContext } from './subscription-rules.js';

const NOW = CONTEXT;
const seconds = (date: string): number => Date.parse(date) / 1000;

function of(values: Partial<StripeSubscription> = {}, price: Partial<StripePrice> = {}): StripeSubscription {
  const item = { price: { ...PRICE, ...price }, quantity: 1 };
  return { ...SUBSCRIPTION, items: { data: [item] }, ...values };
}

function contextOf(customer: Partial<StripeCustomer>): CarryContext {
  const from = { ...CUSTOMER, ...customer } as StripeCustomer;
  return { ...NOW, customers: new Map([[from.id, customerOf(from)]]) };
}

function why(from: StripeSubscription, context: CarryContext = NOW): readonly string[] {
  const carried: Carried = carryOver(from, context);
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
          key: 'price_1MoBy5LkdIwHu7ixZhnattbh*1 USD',
          currency: 'USD',
          total_amount: 10,
          interval: { unit: 'MONTH', count: 1 },
          ...{ vat: null, has_own_vat: false },
          items: [{ product: PRICE.product, quantity: 1 }],
        },
        quantity: 1,
        discount: null,
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
    expect(many(3)).toMatchObject({ subscription: { quantity: 3, plan: { key: `${PRICE.id}*1 USD` } } });
    expect(many(0)).toMatchObject({ subscription: { quantity: 1, plan: { total_amount: 0 } } });
    const two = [
      { price: PRICE, quantity: 3 },
      { price: { ...PRICE, id: 'price_other' }, quantity: 1 },
    ];
    expect(carryOver(of({ items: { data: two } }), NOW)).toMatchObject({
      subscription: { quantity: 1, plan: { total_amount: 40, key: `${PRICE.id}*3 price_other*1 USD` } },
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
    ['it is paid by invoice, not by card', of({ collection_method: 'send_invoice' } as object)],
    ['it is changed by a schedule', of({ schedule: 'sub_sched_1' } as object)],
    ['it has a discount that is not expanded', of({ discounts: ['di_1'] })],
    ['it sends its money to another account', of({ transfer_data: { destination: 'acct_1' } } as object)],
    ['it has no items', of({ items: { data: [] }, current_period_end: seconds('2026-02-28T10:30:00Z') })],
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
      subscription: { plan: { interval: { unit, count: of_them } } },
    });
  });

  it('is charged in its own currency, whatever that of its price', () => {
    const euros = of({ currency: 'eur' });
    expect(why(euros)).toEqual([expect.stringContaining('has no amount in EUR in the export')]);
    const currency_options = { eur: { unit_amount: 1850, tax_behavior: 'inclusive' } };
    const listed = { ...NOW, options: new Map([[PRICE.id, currency_options]]) };
    const plan = { currency: 'EUR', total_amount: 18.5, key: `${PRICE.id}*1 EUR` };
    expect(carryOver(euros, listed)).toMatchObject({ subscription: { plan } });
    expect(carryOver(of({ currency: 'eur' }, { currency_options }), NOW)).toMatchObject({
      subscription: { plan },
    });
    const tiered = { eur: { unit_amount: null, tiers: [{ up_to: null }] } };
    expect(why(euros, { ...NOW, options: new Map([[PRICE.id, tiered]]) })).toEqual([
      `${PRICE.id} has tiers`,
      `${PRICE.id} has no amount in whole cents`,
    ]);
  });

  it("is charged to the first of Stripe's four defaults", () => {
    const context = contextOf({
      invoice_settings: { default_payment_method: 'pm_3' },
      default_source: 'card_4',
    });
    const methods = [
      of({ default_payment_method: 'pm_1', default_source: 'card_2' }),
      of({ default_source: 'card_2' }),
      of(),
    ].map((from) => carryOver(from, context));
    expect([...methods, carryOver(of(), contextOf({ default_source: 'card_4' }))]).toEqual(
      ['pm_1', 'card_2', 'pm_3', 'card_4'].map((payment_method) => ({
        kind: 'carried',
        subscription: expect.objectContaining({ payment_method }),
      })),
    );
  });

  it.each<[string, Partial<Record<keyof StripeCustomer, unknown>>]>([
    ['its customer owes an amount at Stripe', { balance: 500, currency: 'usd' }],
    ['its customer owes an amount at Stripe', { invoice_credit_balance: { eur: -500, usd: 100 } }],
    ['its customer has a balance', { balance: -500 }],
    ['its customer may have a balance in USD: expand invoice_credit_balance', { currency: 'eur' }],
    ['its customer has cash at Stripe', { cash_balance: { available: { eur: 100 } } } as object],
    ['its customer has a field that is not understood: wallet', { wallet: 'new' } as object],
  ])('stays at Stripe: %s', (reason, customer) => {
    expect(why(of(), contextOf(customer as object))).toEqual([expect.stringContaining(reason)]);
  });

  it('stays at Stripe where its customer does not come along', () => {
    expect(why(of(), { ...NOW, customers: new Map() })).toEqual([
      `its customer ${CUSTOMER.id} stays at Stripe or is not in the export`,
    ]);
  });

  it.each<[string, object]>([
    ['is billed at a threshold of usage', { billing_thresholds: { amount_gte: 1000 } }],
    ['is billed by a schedule of its own', { billing_schedules: [{ key: 'one' }] }],
    ['is sold by Stripe as the merchant of record', { managed_payments: { enabled: true } }],
    ['has invoice items that are billed apart', { pending_invoice_item_interval: { interval: 'week' } }],
    ["is charged in EUR at Stripe's rate", { presentment_details: { presentment_currency: 'eur' } }],
    ['has an update that awaits its payment', { pending_update: { expires_at: 1 } }],
    ['has invoices that another account issues', { invoice_settings: { issuer: { type: 'account' } } }],
    ['is not paid by card', { payment_settings: { payment_method_types: ['sepa_debit'] } }],
    [
      'has no payment method and makes no invoice at the end of its trial (cancel)',
      {
        status: 'trialing',
        trial_end: SUBSCRIPTION.current_period_end,
        billing_cycle_anchor: SUBSCRIPTION.current_period_end,
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      },
    ],
    ['has a field that is not understood: rounding', { rounding: 'up' }],
  ])('stays at Stripe: it %s', (reason, values) => {
    const from = of({ currency: 'usd', ...values });
    expect(why(from)).toEqual([expect.stringContaining(reason)]);
  });

  it.each<[string, object]>([
    ['an item is billed beyond its period', { billed_until: seconds('2026-04-28T10:30:00Z') }],
    ['an item is in a trial of its own', { current_trial: { end_date: 1 } }],
    ['an item is billed at a threshold of usage', { billing_thresholds: { usage_gte: 1 } }],
    ['an item has a field that is not understood: ramp', { ramp: { step: 1 } }],
  ])('stays at Stripe: %s', (reason, values) => {
    const current_period_end = SUBSCRIPTION.current_period_end ?? 0;
    const items = { data: [{ price: PRICE, quantity: 1, current_period_end, ...values }] };
    expect(why(of({ items }))).toEqual([reason]);
  });

  it('may have fields without effect', () => {
    const from = {
      billing_mode: { type: 'flexible' },
      invoice_settings: { issuer: { type: 'self' }, account_tax_ids: null },
      payment_settings: { payment_method_options: null, payment_method_types: ['card', 'sepa_debit'] },
      billing_cycle_anchor_config: { day_of_month: 31, hour: null },
      description: 'Gold',
      metadata: { seat: '4' },
      latest_invoice: 'in_1',
    };
    expect(carryOver(of(from as object), NOW).kind).toBe('carried');
  });

  it('reports every reason together', () => {
    expect(why(of({ schedule: 'sub_sched_1', discounts: ['di_1'] } as object))).toEqual([
      'it is changed by a schedule',
      'it has a discount that is not expanded',
    ]);
  });
});

import { isBoundary, MAX_INTERVAL_COUNT, MAX_QUANTITY, type TakeOverFacts } from '@commerce/billing';
import { currencyProblem, isFault, toMajor } from '@commerce/kernel';
import { fromStripeAmount } from '@commerce/payments';

import { idOf, type StripeItem, type StripeSubscription } from './stripe-objects.js';

type Unit = 'DAY' | 'WEEK' | 'MONTH' | 'ANNUAL';

interface Interval {
  readonly unit: Unit;
  readonly count: number;
}

/** A plan that charges the same as one of a subscription's quantity. Amounts in major units. */
export interface CarriedPlan {
  /** The same key for all subscriptions with the same items. */
  readonly key: string;
  readonly currency: string;
  readonly total_amount: number;
  readonly interval_unit: Unit;
  readonly interval_count: number;
  readonly items: readonly { readonly product: string; readonly quantity: number }[];
}

export interface CarriedSubscription {
  readonly id: string;
  readonly customer: string;
  readonly payment_method: string | null;
  readonly plan: CarriedPlan;
  readonly quantity: number;
  readonly facts: TakeOverFacts;
}

export type Carried =
  | { readonly kind: 'carried'; readonly subscription: CarriedSubscription }
  | { readonly kind: 'ended' }
  | { readonly kind: 'left'; readonly why: readonly string[] };

const ENDED = new Set(['canceled', 'incomplete_expired']);

/** Stripe counts its periods in UTC. */
const TIMEZONE = 'UTC';

/** Stripe's intervals, and the number of each that makes one of the next longer unit here. */
const INTERVALS: Readonly<Record<string, { unit: Unit; of?: { count: number; unit: Unit } }>> = {
  day: { unit: 'DAY', of: { count: 7, unit: 'WEEK' } },
  week: { unit: 'WEEK' },
  month: { unit: 'MONTH', of: { count: 12, unit: 'ANNUAL' } },
  year: { unit: 'ANNUAL' },
};

/** Decides whether a subscription continues here unchanged, or stays at Stripe for the given reasons. */
export function carryOver(from: StripeSubscription, now: Date): Carried {
  if (ENDED.has(from.status)) return { kind: 'ended' };
  const customer = idOf(from.customer);
  const { items, quantity } = quantityApart(from.items.data);
  const plan = planOf(items);
  const facts = factsOf(from);
  const why = [
    ...refusals(from),
    ...from.items.data.flatMap(itemRefusals),
    ...(customer === null ? ['it names no customer'] : []),
    ...(typeof plan === 'string' ? [plan] : []),
    ...(typeof facts === 'string' ? [facts] : []),
  ];
  if (typeof plan !== 'string' && typeof facts !== 'string') why.push(...dateRefusals(facts, plan, now));
  if (why.length > 0 || typeof plan === 'string' || typeof facts === 'string' || customer === null) {
    return { kind: 'left', why: [...new Set(why)] };
  }
  const payment_method = idOf(from.default_payment_method);
  return { kind: 'carried', subscription: { id: from.id, customer, payment_method, plan, quantity, facts } };
}

/** The features of a subscription that would be charged differently here. */
function refusals(from: StripeSubscription): string[] {
  const rules: readonly (readonly [boolean, string])[] = [
    [!['active', 'trialing'].includes(from.status), `it is ${from.status}: settle that at Stripe first`],
    [from.collection_method === 'send_invoice', 'it is paid by invoice, not by card'],
    [(from.pause_collection ?? null) !== null, 'its collection is paused'],
    [idOf(from.schedule) !== null, 'a schedule will change it'],
    [(from.pending_update ?? null) !== null, 'an update of it is pending'],
    [(from.discount ?? null) !== null || isFilled(from.discounts), 'it has a discount'],
    [(from.application_fee_percent ?? null) !== null, 'it collects an application fee'],
    [
      (from.transfer_data ?? null) !== null || idOf(from.on_behalf_of) !== null,
      'its money goes to another account',
    ],
    [from.items.data.length === 0, 'it has no items'],
    [from.items.has_more === true, 'the export holds a part of its items only'],
  ];
  return rules
    .filter(([applies]) => applies)
    .map(([, why]) => why)
    .concat(taxRefusals(from));
}

function taxRefusals({ automatic_tax, default_tax_rates, items }: StripeSubscription): string[] {
  const taxed =
    automatic_tax?.enabled === true ||
    isFilled(default_tax_rates) ||
    items.data.some((item) => isFilled(item.tax_rates));
  const included = items.data.every(({ price }) => price.tax_behavior === 'inclusive');
  return taxed && !included ? ['Stripe adds taxes to its prices'] : [];
}

function itemRefusals({ price, discounts }: StripeItem): string[] {
  const rules: readonly (readonly [boolean, string])[] = [
    [price.recurring?.usage_type === 'metered', `${price.id} is charged by use`],
    [price.billing_scheme === 'tiered', `${price.id} has tiers`],
    [(price.transform_quantity ?? null) !== null, `${price.id} is charged by packages`],
    [price.unit_amount === null, `${price.id} has no amount in whole cents`],
    [
      currencyProblem(price.currency.toUpperCase()) !== null,
      `${price.id} has a currency that cannot be charged`,
    ],
    [isFilled(discounts), 'an item has a discount'],
  ];
  return rules.filter(([applies]) => applies).map(([, why]) => why);
}

function dateRefusals(facts: TakeOverFacts, plan: CarriedPlan, now: Date): string[] {
  const { next_date, trial_ending_date, anchor } = facts;
  if (next_date <= now) return ['its period has ended since the export: export it again'];
  if (trial_ending_date !== null && trial_ending_date.getTime() !== anchor.getTime()) {
    return ['its periods do not begin with the end of its trial'];
  }
  return isBoundary(facts, { unit: plan.interval_unit, count: plan.interval_count })
    ? []
    : ['its period does not end on a date counted from its anchor'];
}

function planOf(items: readonly StripeItem[]): CarriedPlan | string {
  const intervals = new Set(items.map(({ price }) => intervalText(price.recurring)));
  const [every = 'once'] = intervals;
  const interval = intervalOf(items[0]?.price.recurring ?? null);
  if (intervals.size > 1) return 'its items are charged at different intervals';
  if (interval === null)
    return `it is charged ${every}; a plan is every ${MAX_INTERVAL_COUNT} days, weeks, months or years at most`;
  const currencies = [...new Set(items.map(({ price }) => price.currency.toUpperCase()))];
  const [currency = ''] = currencies;
  if (currencies.length > 1) return 'its items have different currencies';
  const amounts = items.map((item) => (item.price.unit_amount ?? 0) * quantityOf(item));
  try {
    const minor = fromStripeAmount(
      amounts.reduce((sum, amount) => sum + amount, 0),
      currency,
    );
    const key = items.map((item) => `${item.price.id}*${String(quantityOf(item))}`).sort();
    const bought = items.map((item) => ({
      product: idOf(item.price.product) ?? '',
      quantity: quantityOf(item),
    }));
    return {
      key: key.join(' '),
      currency,
      total_amount: toMajor(minor, currency),
      interval_unit: interval.unit,
      interval_count: interval.count,
      items: bought.filter(({ product, quantity }) => product !== '' && quantity > 0),
    };
  } catch (error) {
    if (isFault(error)) return error.message;
    throw error;
  }
}

function factsOf(from: StripeSubscription): TakeOverFacts | string {
  const ends = from.items.data.map((item) => item.current_period_end ?? from.current_period_end);
  const [end] = ends;
  if (end === undefined) return 'it does not say when its period ends';
  if (ends.some((one) => one !== end)) return 'the periods of its items end at different dates';
  const next_date = dateOf(end);
  const cancel = from.cancel_at ?? (from.cancel_at_period_end ? end : null);
  const facts: TakeOverFacts = {
    starting_date: dateOf(from.start_date),
    anchor: dateOf(from.billing_cycle_anchor),
    timezone: TIMEZONE,
    trial_ending_date: from.status === 'trialing' && from.trial_end !== null ? dateOf(from.trial_end) : null,
    next_date,
    ending_date: cancel === null ? null : dateOf(cancel),
  };
  return facts;
}

/** A single item's quantity becomes that of the subscription, so that all quantities of a price share a plan. */
function quantityApart(items: readonly StripeItem[]): { items: readonly StripeItem[]; quantity: number } {
  const [only] = items;
  const quantity = only === undefined || items.length > 1 ? 1 : quantityOf(only);
  if (only === undefined || quantity <= 1 || quantity > MAX_QUANTITY) return { items, quantity: 1 };
  return { items: [{ ...only, quantity: 1 }], quantity };
}

/** Null for an interval that no plan can have. */
function intervalOf(recurring: StripeItem['price']['recurring']): Interval | null {
  const known = recurring === null ? undefined : INTERVALS[recurring.interval];
  if (recurring === null || known === undefined) return null;
  const { interval_count: count } = recurring;
  const { unit, of } = known;
  const interval =
    of && count % of.count === 0 ? { unit: of.unit, count: count / of.count } : { unit, count };
  return interval.count <= MAX_INTERVAL_COUNT ? interval : null;
}

function intervalText(recurring: StripeItem['price']['recurring']): string {
  if (recurring === null) return 'once';
  const { interval, interval_count: count } = recurring;
  return count === 1 ? `every ${interval}` : `every ${String(count)} ${interval}s`;
}

function quantityOf({ quantity }: StripeItem): number {
  return quantity ?? 1;
}

function dateOf(seconds: number): Date {
  return new Date(seconds * 1000);
}

function isFilled(list: readonly unknown[] | null | undefined): boolean {
  return (list?.length ?? 0) > 0;
}

import { MAX_INTERVAL_COUNT, MAX_QUANTITY } from '@commerce/billing';
import { currencyProblem, isFault, toMajor } from '@commerce/kernel';
import { fromStripeAmount } from '@commerce/payments';

import { CURRENCY_OPTION_FIELDS, PRICE_FIELDS } from './fields/catalog-fields.js';
import { refusalsOf } from './fields/field-table.js';
import { ITEM_FIELDS } from './fields/subscription-fields.js';
import {
  idOf,
  type StripeCurrencyOptions,
  type StripeItem,
  type StripeSubscription,
} from './stripe-objects.js';

type Unit = 'DAY' | 'WEEK' | 'MONTH' | 'ANNUAL';

interface Interval {
  readonly unit: Unit;
  readonly count: number;
}

/** A plan that charges the same as one of a subscription's quantity. Amounts in major units. */
export interface CarriedPlan {
  /** The same key for all subscriptions with the same items and currency. */
  readonly key: string;
  readonly currency: string;
  readonly total_amount: number;
  readonly interval_unit: Unit;
  readonly interval_count: number;
  readonly items: readonly { readonly product: string; readonly quantity: number }[];
}

/** The items of a subscription, priced in its currency, and why they cannot be charged here. */
export interface PricedItems {
  readonly items: readonly StripeItem[];
  readonly why: readonly string[];
}

/** Stripe's intervals, and the number of each that makes one of the next longer unit here. */
const INTERVALS: Readonly<Record<string, { unit: Unit; of?: { count: number; unit: Unit } }>> = {
  day: { unit: 'DAY', of: { count: 7, unit: 'WEEK' } },
  week: { unit: 'WEEK' },
  month: { unit: 'MONTH', of: { count: 12, unit: 'ANNUAL' } },
  year: { unit: 'ANNUAL' },
};

/**
 * Prices the items in the currency of the subscription, which may be an option of their prices.
 * @param options of prices in the export; those within subscriptions lack them unless expanded
 */
export function pricedItems(
  { items, currency }: StripeSubscription,
  options: ReadonlyMap<string, StripeCurrencyOptions>,
): PricedItems {
  const priced = items.data.map((item) => {
    const { price } = item;
    const why = [...refusalsOf(ITEM_FIELDS, item, 'an item'), ...refusalsOf(PRICE_FIELDS, price, price.id)];
    if (currency === undefined || currency === price.currency) return { item, why };
    const option = (price.currency_options ?? options.get(price.id))?.[currency];
    if (option === undefined) {
      const amount = `${price.id} has no amount in ${currency.toUpperCase()} in the export`;
      return { item, why: [...why, `${amount}: expand the currency_options of the prices`] };
    }
    const { unit_amount = null, tax_behavior = null } = option;
    const other = { ...item, price: { ...price, currency, unit_amount, tax_behavior } };
    return { item: other, why: [...why, ...refusalsOf(CURRENCY_OPTION_FIELDS, option, price.id)] };
  });
  const found = priced.map(({ item }) => item);
  return { items: found, why: [...priced.flatMap(({ why }) => why), ...found.flatMap(itemRefusals)] };
}

function itemRefusals({ price, current_period_end, billed_until }: StripeItem): string[] {
  const rules: readonly (readonly [boolean, string])[] = [
    [price.unit_amount === null, `${price.id} has no amount in whole cents`],
    [
      currencyProblem(price.currency.toUpperCase()) !== null,
      `${price.id} has a currency that cannot be charged`,
    ],
    [(billed_until ?? 0) > (current_period_end ?? Infinity), 'an item is billed beyond its period'],
  ];
  return rules.filter(([applies]) => applies).map(([, why]) => why);
}

/** The plan of these items; the reason where no plan can be charged like them. */
export function planOf(items: readonly StripeItem[]): CarriedPlan | string {
  const intervals = new Set(items.map(({ price }) => intervalText(price.recurring)));
  const [every = 'once'] = intervals;
  const interval = intervalOf(items[0]?.price.recurring ?? null);
  if (intervals.size > 1) return 'its items are charged at different intervals';
  if (interval === null) {
    return `it is charged ${every}; a plan is every ${MAX_INTERVAL_COUNT} days, weeks, months or years at most`;
  }
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
      key: [...key, currency].join(' '),
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

/** A single item's quantity becomes that of the subscription, so that all quantities of a price share a plan. */
export function quantityApart(items: readonly StripeItem[]): {
  items: readonly StripeItem[];
  quantity: number;
} {
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

import { MAX_INTERVAL_COUNT, MAX_QUANTITY } from '@commerce/billing';
import { currencyProblem, multiplyRatio, ratio, ratioOfDecimal } from '@commerce/kernel';

import { CURRENCY_OPTION_FIELDS, PRICE_FIELDS } from './fields/catalog-fields.js';
import { refusalsOf } from './fields/field-table.js';
import { ITEM_FIELDS } from './fields/subscription-fields.js';
import {
  idOf,
  type StripeCurrencyOptions,
  type StripeItem,
  type StripeSubscription,
} from './stripe-objects.js';
import { majorAmount, numberOf, planInterval, type Interval } from './stripe-units.js';
import type { CarriedTax } from './tax-rules.js';

/** A plan that charges the same as one of a subscription's quantity. Amounts in major units. */
export interface CarriedPlan {
  /** The same key for all subscriptions with the same items and currency. */
  readonly key: string;
  readonly currency: string;
  readonly total_amount: number;
  readonly interval: Interval;
  /** Of the whole plan, where `has_own_vat`; null: Stripe does not say it. */
  readonly vat: number | null;
  /** Its VAT is said by hand: it has no items, whose own would hold. */
  readonly has_own_vat: boolean;
  /** The products of one unit of the plan, with their quantities. */
  readonly items: readonly { readonly product: string; readonly quantity: number }[];
}

/** The items of a subscription, priced in its currency, and why they cannot be charged here. */
export interface PricedItems {
  readonly items: readonly StripeItem[];
  readonly why: readonly string[];
}

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

/** The interval of these items; the reason where no plan can have it. */
export function intervalOf(items: readonly StripeItem[]): Interval | string {
  const intervals = new Set(items.map(({ price }) => intervalText(price.recurring)));
  const [every = 'once'] = intervals;
  if (intervals.size > 1) return 'its items are charged at different intervals';
  return (
    planInterval(items[0]?.price.recurring ?? null) ??
    `it is charged ${every}; a plan is every ${MAX_INTERVAL_COUNT} days, weeks, months or years at most`
  );
}

/** The plan of these items and the quantity of it; the reason where no plan can be charged like them. */
export function planOf(
  items: readonly StripeItem[],
  interval: Interval,
  tax: CarriedTax,
): { readonly plan: CarriedPlan; readonly quantity: number } | string {
  const currencies = [...new Set(items.map(({ price }) => price.currency.toUpperCase()))];
  const [currency = ''] = currencies;
  if (currencies.length > 1) return 'its items have different currencies';
  if (!isTaxedAlike(items.map(amountOf), tax)) {
    return 'the tax on its items may be rounded otherwise at Stripe';
  }
  const whole = majorAmount(sumOf(items), currency);
  if (typeof whole === 'string') return whole;
  const { items: charged, quantity } = quantityApart(items, tax);
  const total_amount = majorAmount(sumOf(charged), currency);
  if (typeof total_amount === 'string') return total_amount;
  const key = charged.map((item) => `${item.price.id}*${String(quantityOf(item))}`).sort();
  const { vat, has_own_vat } = tax;
  const bought = charged.map((item) => ({
    product: idOf(item.price.product) ?? '',
    quantity: quantityOf(item),
  }));
  const plan = {
    key: [...key, currency, ...(has_own_vat ? [`VAT ${String(vat)}`] : [])].join(' '),
    ...{ currency, total_amount, interval, vat, has_own_vat },
    items: bought.filter(({ product, quantity: many }) => product !== '' && many > 0),
  };
  return { plan, quantity };
}

/**
 * A single item's quantity becomes that of the subscription, so that all quantities of a price share a plan; unless the tax
 * on the sum is not that on each of them, as here it is rounded for each.
 */
function quantityApart(
  items: readonly StripeItem[],
  tax: Added,
): { readonly items: readonly StripeItem[]; readonly quantity: number } {
  const [only] = items;
  const quantity = only === undefined || items.length > 1 ? 1 : quantityOf(only);
  if (only === undefined || quantity <= 1 || quantity > MAX_QUANTITY) return { items, quantity: 1 };
  const one = { ...only, quantity: 1 };
  const isSame = taxOn(amountOf(one), tax) * quantity === taxOn(amountOf(only), tax);
  return isSame ? { items: [one], quantity } : { items, quantity: 1 };
}

/** Whether tax that is rounded for each amount is that on their sum. Accounts of Stripe may have it either way. */
function isTaxedAlike(amounts: readonly number[], tax: Added): boolean {
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  return amounts.reduce((total, amount) => total + taxOn(amount, tax), 0) === taxOn(sum, tax);
}

/** The rate of the tax that is added to prices. */
type Added = Pick<CarriedTax, 'added'>;

/** The tax that is added to an amount, both in Stripe's units. */
function taxOn(amount: number, { added }: Added): number {
  const { n, d } = multiplyRatio(ratio(amount), ratioOfDecimal(added));
  // Half up, as amounts of prices are not negative.
  return Number((2n * n + d) / (2n * d));
}

function sumOf(items: readonly StripeItem[]): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0);
}

function amountOf(item: StripeItem): number {
  return numberOf(item.price.unit_amount ?? 0) * quantityOf(item);
}

function intervalText(recurring: StripeItem['price']['recurring']): string {
  if (recurring === null) return 'once';
  const { interval, interval_count: count } = recurring;
  return count === 1 ? `every ${interval}` : `every ${String(count)} ${interval}s`;
}

function quantityOf({ quantity }: StripeItem): number {
  return numberOf(quantity ?? 1);
}

import {
  addRatio,
  fieldFault,
  isMinor,
  priceDiscounted,
  priceLines,
  ratioOfDecimal,
  toMinor,
  vatOnTotal,
  ZERO,
  type Fault,
  type PricedLines,
  type PriceLine,
  type RoundingStep,
  type TaxBehavior,
  type VatMinor,
} from '@commerce/kernel';
import type { PriceDiscount } from './discount.js';
import {
  chargeInterval,
  leastDays,
  mostDays,
  priceInterval,
  type PlanIntervals,
} from '../calendar/calendar.js';

/** Stands for the plan itself, in the one line of a plan without products. */
export const NO_PRODUCT = '';

/**
 * The inputs of a subscription's price: that of the plan, `total_amount` (major units) where it is set, else its items,
 * and the quantity of it. Plain JSON.
 */
export interface PlanPriceInput {
  readonly currency: string;
  readonly tax_behavior: TaxBehavior;
  readonly total_amount: number | null;
  /** VAT is added to `total_amount`, at the rates of the items; absent where it is included. */
  readonly tax_on_total?: true;
  readonly items: readonly PriceLine[];
  /** The plan, where it has no items and nobody has said its VAT, which is due: its invoices wait for it. */
  readonly untaxed_plan?: string;
  /** Absent in breakdowns from before quantities, and of a plan by itself: 1. */
  readonly quantity?: number;
  /** Absent without a coupon. */
  readonly discount?: PriceDiscount;
}

/** The price of an interval with a discount. */
export interface DiscountedPrice extends Pick<PriceDiscount, 'from' | 'until'> {
  readonly price_minor: number;
  readonly priced: PricedLines;
}

/** Price of one interval, VAT included. */
export interface PlanPrice {
  /** `quantity` times `single_minor`. */
  readonly price_minor: number;
  /** The price of quantity 1, rounded as the plan shows it. */
  readonly single_minor: number;
  readonly quantity: number;
  /** True when the price is the sum of the items (total_amount_computed in the reply). */
  readonly computed: boolean;
  /** The items of quantity 1 priced; their rates also divide a price set by hand among the VAT rates. Null without items. */
  readonly priced: PricedLines | null;
  readonly steps: readonly RoundingStep[];
  readonly discounted: DiscountedPrice | null;
}

/**
 * The rounded price of one is multiplied, not its lines: quantity times the price that the plan shows is the charge.
 * @throws Faults of `toMinor` and `priceLines`; `amount.invalid` at `quantity` where the product is too large
 */
export function planPrice(input: PlanPriceInput): PlanPrice {
  const { currency, tax_behavior, total_amount, items, quantity = 1 } = input;
  const byItems = items.length === 0 ? null : priceLines({ currency, tax_behavior, lines: items });
  const computed = total_amount === null;
  const vat = vatAdded(input);
  const priced = byItems === null || vat === null ? byItems : { ...byItems, vat };
  const own_minor = computed ? (priced?.total_minor ?? 0) : toMinor(total_amount, currency);
  const single_minor = vat === null ? own_minor : vat.reduce((sum, one) => sum + one.gross_minor, 0);
  const price_minor = quantity * single_minor;
  if (!isMinor(price_minor, currency)) throw tooLarge();
  const steps = computed ? (priced?.steps ?? []) : [];
  return { price_minor, single_minor, quantity, computed, priced, steps, discounted: discountedPrice(input) };
}

/** The VAT on a price set by hand to which it is added; null where it is none. */
function vatAdded({ total_amount, tax_on_total, items, currency }: PlanPriceInput): VatMinor[] | null {
  if (total_amount === null || tax_on_total !== true) return null;
  return vatOnTotal(toMinor(total_amount, currency), { lines: items, currency });
}

/** The price less the discount, which lowers it before VAT; null without one. */
function discountedPrice(input: PlanPriceInput): DiscountedPrice | null {
  const { discount, items: lines, quantity = 1, ...prices } = input;
  if (discount === undefined) return null;
  const { off: coupon, from, until } = discount;
  const priced = priceDiscounted({ ...prices, lines, coupon, quantity });
  return { price_minor: priced.total_minor, priced, from, until };
}

/**
 * Checks the charge of one billing interval, which may cover many price intervals.
 * @throws Fault `amount.invalid` at `quantity` where it could be too large
 */
export function requireChargeable(plan: PlanIntervals, input: PlanPriceInput): void {
  const { price_minor } = planPrice(input);
  const covered = Math.ceil(mostDays(chargeInterval(plan)) / leastDays(priceInterval(plan)));
  if (!isMinor(covered * price_minor, input.currency)) throw tooLarge();
}

function tooLarge(): Fault {
  const message = 'quantity times the price of the plan is too large an amount';
  return fieldFault('quantity', message, 'amount.invalid');
}

/** `units` of a plan: the quantities of its items added up as decimals, so that 0.1 + 0.2 is 0.3. */
export function unitsOf(items: readonly { readonly quantity: number }[]): number {
  const { n, d } = items.reduce((sum, { quantity }) => addRatio(sum, ratioOfDecimal(quantity)), ZERO);
  return Number(n) / Number(d);
}

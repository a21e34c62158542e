import { minorStep } from '../money/currency.js';
import { toMinor, type RoundingStep } from '../money/money.js';
import {
  amountsByRate,
  lessCoupon,
  priceLine,
  sum,
  type CouponOff,
  type LineWithRates,
  type PricedLine,
  type PricedLines,
  type PriceLinesInput,
} from './pricing.js';
import { splitByWeights } from '../money/split.js';
import { addVat, type TaxBehavior, type VatMinor } from './vat.js';

/** The inputs of a plan's price less a coupon. Plain JSON. */
export interface DiscountedPriceInput extends PriceLinesInput {
  readonly coupon: CouponOff;
  /** The price of one in major units where it is set by hand; null: the sum of the lines. */
  readonly total_amount: number | null;
  /** VAT is added to `total_amount`; absent where it is included. */
  readonly tax_on_total?: true;
  /** How many times the price is charged; a whole number. */
  readonly quantity: number;
}

/**
 * The price of a plan times its quantity, less a coupon, with VAT on the rest. It is never below 0, and never above
 * that price without the coupon. A price set by hand is divided among the lines in proportion to their prices; without
 * lines, only a coupon for all products falls on it.
 * @throws Fault those of `priceLines`
 */
export function priceDiscounted(input: DiscountedPriceInput): PricedLines {
  const { currency, tax_behavior, coupon, total_amount, tax_on_total, quantity } = input;
  const steps: RoundingStep[] = [];
  const given = input.lines.map((line) => byParts(priceLine(line, currency, steps), currency));
  const total_minor = total_amount === null ? null : toMinor(total_amount, currency);
  const single =
    total_minor !== null && tax_on_total === true ? dividedNet(total_minor, given, currency) : given;
  const priced =
    total_minor === null || tax_on_total === true
      ? single.map(({ line, rates }) => ({ rates, line: amounting(line, line.amount_minor * quantity) }))
      : divided(quantity * total_minor, single, tax_behavior, currency);
  const lines = lessCoupon(priced, coupon, currency, steps);
  const isNet = tax_on_total === true || (total_minor === null && tax_behavior === 'exclusive');
  const behavior = isNet ? 'exclusive' : 'inclusive';
  const vat = addVat(amountsByRate(lines, currency), behavior, currency, steps);
  const capped = isNet
    ? withMost(vat, addVat(amountsByRate(single, currency), behavior, currency), quantity)
    : vat;
  return {
    currency,
    subtotal_minor: sum(priced.map(({ line }) => line.amount_minor)),
    coupon_minor: sum(lines.map(({ line }) => line.coupon_minor)),
    total_minor: sum(
      isNet ? capped.map((rate) => rate.gross_minor) : lines.map(({ line }) => line.total_minor),
    ),
    lines: lines.slice(0, input.lines.length).map(({ line }) => line),
    vat: capped,
    steps,
  };
}

/** The VAT on a price set by hand to which it is added, divided among the lines as a coupon finds it. */
export function vatOnTotal(
  total_minor: number,
  { lines, currency }: Pick<PriceLinesInput, 'lines' | 'currency'>,
): VatMinor[] {
  const given = lines.map((line) => byParts(priceLine(line, currency, []), currency));
  return addVat(amountsByRate(dividedNet(total_minor, given, currency), currency), 'exclusive', currency);
}

/** A total without VAT as the amounts of these lines, in proportion to their prices. */
function dividedNet(total: number, given: readonly LineWithRates[], currency: string): LineWithRates[] {
  const weights = given.map(({ line }) => line.amount_minor);
  const amounts = splitByWeights(total, weights, minorStep(currency));
  return given.map(({ line, rates }, index) =>
    byParts({ rates, line: amounting(line, amounts[index] ?? 0) }, currency),
  );
}

/** The line with its amount at each rate as the weights, so that a multiple of the line is that of each amount. */
function byParts({ line, rates }: LineWithRates, currency: string): LineWithRates {
  const weights = rates.map(({ weight }) => weight);
  const parts = splitByWeights(line.amount_minor, weights, minorStep(currency));
  return { line, rates: rates.map((share, index) => ({ ...share, weight: parts[index] ?? 0 })) };
}

/** A total, VAT included, as the amounts of these lines; one line without a product or VAT where there are none. */
function divided(
  total: number,
  single: readonly LineWithRates[],
  behavior: TaxBehavior,
  currency: string,
): LineWithRates[] {
  if (single.length === 0) return [{ line: amounting(NO_LINE, total), rates: [] }];
  const gross = single.map(({ line, rates }) => ({
    line,
    rates: rates.map((share) => {
      const [vat] = addVat([share], behavior, currency);
      return { ...share, weight: vat?.gross_minor ?? 0 };
    }),
  }));
  const weights = gross.map(({ rates }) => sum(rates.map(({ weight }) => weight)));
  const amounts = splitByWeights(total, weights, minorStep(currency));
  return gross.map(({ line, rates }, index) => ({ rates, line: amounting(line, amounts[index] ?? 0) }));
}

const NO_LINE: PricedLine = {
  product: '',
  quantity: 1,
  final_price_minor: 0,
  sub_products: [],
  amount_minor: 0,
  coupon_minor: 0,
  total_minor: 0,
};

function amounting(line: PricedLine, amount_minor: number): PricedLine {
  return { ...line, amount_minor, total_minor: amount_minor };
}

/** VAT added to the whole, but no more than is added to `quantity` single prices. */
function withMost(vat: readonly VatMinor[], single: readonly VatMinor[], quantity: number): VatMinor[] {
  return vat.map((rate, index) => {
    const gross_minor = Math.min(rate.gross_minor, quantity * (single[index]?.gross_minor ?? 0));
    return { ...rate, vat_minor: gross_minor - rate.net_minor, gross_minor };
  });
}

export { type Backoff, backoffMs } from './time/backoff.js';
export type { Clock } from './time/clock.js';
export { CSV_MARK, csvRow } from './csv/csv.js';
export { currencyProblem, exponentOf, minorStep } from './money/currency.js';
export { diff, type PlainObject } from './events/diff.js';
export { isSame } from './objects/is-same.js';
export { addFields, joinFields } from './objects/join-fields.js';
export { EVENT_KINDS, UNSENT_EVENT_KINDS, type EventKind } from './events/event-kinds.js';
export {
  Fault,
  TRY_AGAIN_SOON,
  fault,
  fieldFault,
  isFault,
  type FaultDetails,
  type FieldError,
} from './faults/fault.js';
export { DAY_MS, instantOfWall, isTimezone, localDay, wallTimeOf, type WallTime } from './time/local-time.js';
export { breakdownOf, type AmountBreakdown } from './pricing/breakdown.js';
export { shareOf, withCreditPart, type CreditShare } from './pricing/credit-share.js';
export {
  itemLine,
  minorText,
  percentText,
  rateText,
  untaxedLine,
  vatIncluded,
  type ExplainedAmount,
  type ExplanationLine,
  type ProductName,
} from './pricing/explanation.js';
export { requireFewProducts } from './pricing/item-count.js';
export { priceDiscounted, vatOnTotal } from './pricing/discounted-price.js';
export {
  couponFallsOn,
  finalPriceMinor,
  priceLines,
  type CouponOff,
  type PriceLine,
  type PriceLinesInput,
  type PricedLines,
  type PricedThing,
} from './pricing/pricing.js';
export {
  SUPPLY_REASONS,
  TAX_CATEGORIES,
  supplyByRates,
  taxGroupOf,
  taxOfRate,
  type NamedRate,
  type Supply,
  type SupplyReason,
  type SupplyShare,
  type SupplyTax,
  type TaxCategory,
  type TaxShare,
} from './pricing/supply.js';
export {
  addVat,
  groupByTax,
  vatLines,
  vatOfShares,
  type TaxBehavior,
  type VatLine,
  type VatMinor,
} from './pricing/vat.js';
export {
  isMinor,
  roundInto,
  roundMoney,
  sumToMinor,
  toMajor,
  toMinor,
  type RoundingStep,
} from './money/money.js';
export {
  ZERO,
  addRatio,
  subtractRatio,
  compareRatio,
  divideRatio,
  isWholeSteps,
  multiplyRatio,
  ratio,
  ratioOfDecimal,
  type Ratio,
} from './money/ratio.js';
export { splitByWeights } from './money/split.js';
export { READABLE_LENGTH, readableId } from './ids/readable-id.js';
export { Html, html } from './text/html.js';
export { contradictsTax, decideTax, type DecidedTax } from './tax/decide-tax.js';
export {
  PRODUCT_TAX_CATEGORIES,
  RATED_CATEGORIES,
  TAX_SUPPLIES,
  type ProductTaxCategory,
  type RatedCategory,
  type TaxBuyer,
  type TaxedProduct,
  type TaxSeller,
  type TaxSupply,
} from './tax/tax-terms.js';
export { memberStateOf } from './tax/vat-area.js';
export { isVatIdOfVies, vatIdProblem, viesNumberOf } from './tax/vat-id.js';

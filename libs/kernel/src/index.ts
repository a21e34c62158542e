export type { Clock } from './clock.js';
export { currencyProblem, exponentOf, minorStep } from './currency.js';
export { diff, type PlainObject } from './diff.js';
export { EVENT_KINDS, UNSENT_EVENT_KINDS, type EventKind } from './event-kinds.js';
export {
  Fault,
  TRY_AGAIN_SOON,
  fault,
  fieldFault,
  isFault,
  type FaultDetails,
  type FieldError,
} from './fault.js';
export { DAY_MS, instantOfWall, isTimezone, wallTimeOf, type WallTime } from './local-time.js';
export {
  breakdownOf,
  linesPart,
  recomputeOrder,
  type AmountBreakdown,
  type LinesPart,
  type OrderBreakdown,
} from './money-breakdown.js';
export {
  explainLines,
  itemLine,
  minorText,
  vatIncluded,
  type ExplainedAmount,
  type ExplanationLine,
  type ProductName,
} from './money-explanation.js';
export {
  finalPriceMinor,
  priceLines,
  type CouponOff,
  type PriceLine,
  type PricedLines,
  type PricedThing,
} from './money-pricing.js';
export { vatInside, vatLines, type TaxBehavior, type VatLine } from './money-vat.js';
export { isMinor, roundInto, sumToMinor, toMajor, toMinor, type RoundingStep } from './money.js';
export {
  ZERO,
  addRatio,
  compareRatio,
  isWholeSteps,
  multiplyRatio,
  ratio,
  ratioOfDecimal,
  type Ratio,
} from './ratio.js';
export { READABLE_LENGTH, readableId } from './readable-id.js';

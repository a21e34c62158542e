import {
  supplyByRates,
  taxGroupOf,
  toMinor,
  type NamedRate,
  type ProductName,
  type Supply,
  type SupplyReason,
  type SupplyShare,
} from '@commerce/kernel';

import {
  recomputePeriod,
  type Breakdown,
  type BreakdownPart,
  type FixedPart,
  type PeriodPart,
} from './breakdown.js';
import { NO_PRODUCT, planPrice } from './pricing.js';
import { ownsAll, unitsOwned } from './proration.js';

/** The rates of what was charged for a period, and the names of it. */
export type PeriodRates = readonly [NamedRate, ...NamedRate[]];

/** The context of a breakdown: names and rates of what it does not say itself. */
export interface SupplyContext {
  readonly nameOf: ProductName;
  /** The name of the plan, for what names no product. */
  readonly planName: string;
  /** The part of the amount that the balance has paid, in minor units. */
  readonly credit_minor: number;
  /** The rates of the charge of an earlier payment for the period that begins then; null where there is none. */
  readonly chargedAt: (start: number) => PeriodRates | null;
  /** The rates of a plan by its present prices, that of the subscription unless given; called only where no payment states them. */
  readonly plan: (id?: string) => PeriodRates;
}

type Plain = Omit<Supply, 'name' | 'tax'>;

/**
 * The supplies of a payment, with the amounts of its breakdown: one for each part and rate. Credit of the balance pays
 * for them, and is none; what the balance was to pay and has not is not collected.
 */
export function suppliesOf({ currency, parts }: Breakdown, context: SupplyContext): Supply[] {
  const periods = parts.filter((part) => part.kind === 'period');
  const all = parts.flatMap((part) => {
    const supply = plain(part, currency, context.credit_minor);
    return supplyByRates(supply, ratesOfPart(part, periods, context), currency);
  });
  const charged = all.filter(({ subtotal_minor, total_minor }) => subtotal_minor !== 0 || total_minor !== 0);
  return charged.length > 0 ? charged : all.slice(0, 1);
}

/** The supply of a payment that was written back from the provider's books, which know its amount only. */
export function restoredSupply(
  amount_minor: number,
  period: Supply['period'],
  rates: PeriodRates,
  currency: string,
): Supply[] {
  const amounts = { subtotal_minor: amount_minor, total_minor: amount_minor };
  return supplyByRates({ ...NOTHING, ...amounts, reason: 'restored', period }, rates, currency);
}

/** Whether a part of a period is priced as an earlier payment has it. */
export function settlesEarlier({ parts }: Breakdown): boolean {
  return parts.some(
    (part) => part.kind === 'booked' || (part.kind === 'period' && part.priced_from === null),
  );
}

/** What a breakdown does not say of its rates. */
type Naming = Pick<SupplyContext, 'nameOf' | 'planName' | 'plan'>;

/** The rates of the charge, among these, for the period that holds `start`. */
export function ratesChargedAt(
  earlier: readonly Breakdown[],
  start: number,
  context: Naming,
): PeriodRates | null {
  const parts = earlier.flatMap((one) => one.parts).filter((part) => part.kind === 'period');
  const own = parts.find((part) => part.start <= start && start < part.end);
  return own === undefined ? null : chargedRates(own, context);
}

/** The rates of a period's charge, each with the products that have it; null where the plan has none. */
function chargedRates(
  { vat, priced_from }: PeriodPart,
  { nameOf, planName, plan }: Naming,
): PeriodRates | null {
  if (priced_from?.untaxed_plan !== undefined) return plan(priced_from.untaxed_plan);
  const things = (priced_from?.items ?? []).flatMap((item) => [item, ...item.sub_products]);
  const [first, ...others] = vat.map(({ rate, tax, gross }): NamedRate => {
    const group = taxGroupOf({ rate, tax });
    const same = things.filter((thing) => taxGroupOf({ rate: thing.vat, tax: thing.tax }) === group);
    const names = same.flatMap(({ product }) => (product === NO_PRODUCT ? [] : [nameOf(product)]));
    const name = [...new Set(names)].join(' + ') || planName;
    return { rate, ...(tax === undefined ? {} : { tax }), weight: Math.max(0, gross), name };
  });
  return first === undefined ? null : [first, ...others];
}

function ratesOfPart(
  part: BreakdownPart,
  periods: readonly PeriodPart[],
  context: SupplyContext,
): PeriodRates {
  const { chargedAt, plan } = context;
  const rates = (of: PeriodPart | undefined): PeriodRates | null =>
    of === undefined ? null : chargedRates(of, context);
  if (part.kind !== 'period') return ownRates(part, rates(periods[0]) ?? plan());
  return part.priced_from === null
    ? ownRates(part, chargedAt(part.start) ?? plan())
    : (rates(part) ?? plan());
}

/** The rates that a part states itself, with the names of these; these where it states none. */
function ownRates({ vat = [] }: PeriodPart | FixedPart, named: PeriodRates): PeriodRates {
  const [first, ...others] = vat.map(({ rate, tax, gross }): NamedRate => {
    const group = taxGroupOf({ rate, tax });
    const { name } = named.find((one) => taxGroupOf(one) === group) ?? named[0];
    return { rate, ...(tax === undefined ? {} : { tax }), weight: Math.abs(gross), name };
  });
  return first === undefined ? named : [first, ...others];
}

function plain(part: BreakdownPart, currency: string, credit_minor: number): Plain {
  if (part.kind === 'period') return periodSupply(part, currency);
  if (part.kind === 'credit') {
    const left = toMinor(part.amount, currency) + credit_minor;
    return { ...NOTHING, subtotal_minor: left, total_minor: left, reason: 'not_collected' };
  }
  return { ...NOTHING, ...amountOf(part, currency), reason: REASONS[part.kind] };
}

const REASONS: Readonly<Record<Exclude<FixedPart['kind'], 'credit'>, SupplyReason>> = {
  setup: 'setup_fee',
  outstanding: 'debt',
  booked: 'charged_before',
  uncollected: 'not_collected',
};

const NOTHING = { reason: null, share: null, period: null, quantity: 1, unit_minor: null } as const;

function amountOf(
  { amount }: { readonly amount: number },
  currency: string,
): Pick<Plain, 'subtotal_minor' | 'total_minor'> {
  const minor = toMinor(amount, currency);
  return { subtotal_minor: minor, total_minor: minor };
}

/** The charge of a period; its discount is what it costs less than without the coupon. */
function periodSupply(part: PeriodPart, currency: string): Plain {
  const { from, to, priced_from, total, mode } = part;
  const total_minor = toMinor(part.amount, currency);
  const full = priced_from && { ...priced_from, discount: undefined };
  const subtotal_minor =
    priced_from?.discount === undefined
      ? total_minor
      : Math.max(total_minor, recomputePeriod({ ...part, priced_from: full }, currency).amount_minor);
  const { quantity, single_minor } = full === null ? NO_PLAN : planPrice(full);
  const isPlain = quantity * single_minor === subtotal_minor;
  const unit = mode === 'second' ? 1000 : 1;
  const share: SupplyShare | null = ownsAll(part)
    ? null
    : { part: unitsOwned(part) / unit, of: total / unit, unit: mode === 'second' ? 'second' : 'day' };
  return {
    ...NOTHING,
    reason: share === null ? null : 'used',
    share,
    period: { start: new Date(from), end: new Date(to) },
    ...(isPlain ? { quantity, unit_minor: single_minor } : {}),
    subtotal_minor,
    total_minor,
  };
}

const NO_PLAN = { quantity: 1, single_minor: Number.NaN } as const;

import {
  addRatio,
  compareRatio,
  divideRatio,
  minorStep,
  multiplyRatio,
  ratio,
  ratioOfDecimal,
  roundMoney,
  subtractRatio,
  toMajor,
  type Ratio,
  type Supply,
  type SupplyTax,
  type TaxBehavior,
} from '@commerce/kernel';

/** Amounts in minor units: net + tax = gross. */
export interface Taxed {
  readonly net_minor: number;
  readonly tax_minor: number;
  readonly gross_minor: number;
}

/** A supply with its share of the tax; `discount_minor` is without tax. */
export interface TaxedSupply extends Taxed {
  readonly supply: Supply;
  readonly discount_minor: number;
}

/** The sum of the supplies of one country, category and rate. */
export interface TaxGroup extends Taxed {
  readonly tax: SupplyTax;
}

export interface TaxedSupplies {
  /** In the order given. */
  readonly supplies: readonly TaxedSupply[];
  /** In ascending order of the rates. */
  readonly groups: readonly TaxGroup[];
}

/**
 * Taxes supplies as `addVat` does: the tax is rounded once for each rate, on the sum of its supplies, and divided among
 * them so that each has its own rounded share, or the next to it. In a currency without decimals, countries that have the
 * same rate share the rounding.
 */
export function taxSupplies(
  supplies: readonly Supply[],
  prices: TaxBehavior,
  currency: string,
): TaxedSupplies {
  const taxed: TaxedSupply[] = [];
  const groups: TaxGroup[] = [];
  const found = groupsOf(supplies).map((indexes) => groupOf(indexes, supplies, prices));
  const sums = found.map(({ exact }) => exact.reduce(addRatio, ratio(0)));
  const rates = found.map(({ tax }) => `${tax.category} ${String(tax.rate)}`);
  const taxes = roundedTaxes(sums, rates, currency);
  found.forEach(({ indexes, tax, exact, sum_minor }, group) => {
    const tax_minor = taxes[group] ?? 0;
    const parts = distribute(tax_minor, exact, currency);
    indexes.forEach((index, at) => {
      taxed[index] = taxedSupply(supplies[index] as Supply, parts[at] ?? 0, prices, currency);
    });
    groups.push({ tax, ...amounts(sum_minor, tax_minor, prices) });
  });
  groups.sort(({ tax: a }, { tax: b }) => a.rate - b.rate || compare(keyOfTax(a), keyOfTax(b)));
  return { supplies: taxed, groups };
}

/** The supplies of a country, category, rate and reason, and the exact tax of each. */
interface FoundGroup {
  readonly indexes: readonly number[];
  readonly tax: SupplyTax;
  readonly exact: readonly Ratio[];
  readonly sum_minor: number;
}

function groupOf(indexes: readonly number[], supplies: readonly Supply[], prices: TaxBehavior): FoundGroup {
  const members = indexes.map((index) => supplies[index] as Supply);
  const { tax } = members[0] as Supply;
  const share = taxShare(ratioOfDecimal(tax.rate), prices);
  const exact = members.map(({ total_minor }) => multiplyRatio(ratio(total_minor), share));
  return { indexes, tax, exact, sum_minor: members.reduce((sum, { total_minor }) => sum + total_minor, 0) };
}

/**
 * Taxes, rounded. The rules of EN 16931 know no countries, and tolerate less than one whole unit: where that is the
 * smallest one, the taxes of a rate are rounded together, and the sum is divided among them.
 */
export function roundedTaxes(exact: readonly Ratio[], rates: readonly string[], currency: string): number[] {
  if (!isWhole(currency)) return exact.map((one) => roundMoney(one, currency));
  const taxes: number[] = [];
  for (const indexes of indexesBy(rates, (rate) => rate)) {
    const own = indexes.map((index) => exact[index] as Ratio);
    const total_minor = roundMoney(own.reduce(addRatio), currency);
    distribute(total_minor, own, currency).forEach((part, at) => {
      taxes[indexes[at] as number] = part;
    });
  }
  return taxes;
}

/** Whether the currency has no decimals. */
function isWhole(currency: string): boolean {
  return toMajor(1, currency) === 1;
}

/** The indexes of the supplies of each country, category, rate and reason. */
function groupsOf(supplies: readonly Supply[]): number[][] {
  return indexesBy(supplies, ({ tax }) => keyOfTax(tax));
}

function indexesBy<T>(all: readonly T[], keyOf: (one: T) => string): number[][] {
  const groups = new Map<string, number[]>();
  all.forEach((one, index) => {
    const key = keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), index]);
  });
  return [...groups.values()];
}

/** A tax, as a supply or a document names it. */
type NamedTax = Omit<SupplyTax, 'country' | 'vat_id'> & { readonly country?: string | null };

/** Names the country, the category, the rate and the reason of a tax. */
export function keyOfTax({ category, rate, country = null, reason, reason_code }: NamedTax): string {
  return JSON.stringify([category, rate, country, reason, reason_code]);
}

/** The tax as a share of the amounts as they were agreed: with tax, or without. */
function taxShare(rate: Ratio, prices: TaxBehavior): Ratio {
  return prices === 'exclusive' ? rate : divideRatio(rate, addRatio(ratio(1), rate));
}

function amounts(agreed_minor: number, tax_minor: number, prices: TaxBehavior): Taxed {
  return prices === 'exclusive'
    ? { net_minor: agreed_minor, tax_minor, gross_minor: agreed_minor + tax_minor }
    : { net_minor: agreed_minor - tax_minor, tax_minor, gross_minor: agreed_minor };
}

function taxedSupply(supply: Supply, tax_minor: number, prices: TaxBehavior, currency: string): TaxedSupply {
  const agreed = Math.max(0, supply.subtotal_minor - supply.total_minor);
  const share = taxShare(ratioOfDecimal(supply.tax.rate), prices);
  const net = prices === 'exclusive' ? ratio(1) : subtractRatio(ratio(1), share);
  const discount_minor = roundMoney(multiplyRatio(ratio(agreed), net), currency);
  return { supply, discount_minor, ...amounts(supply.total_minor, tax_minor, prices) };
}

/** Rounds each amount; those with the largest remainders take what is missing from, or too much for, the total. */
function distribute(total_minor: number, exact: readonly Ratio[], currency: string): number[] {
  const step = minorStep(currency);
  const parts = exact.map((one) => roundMoney(one, currency));
  const missing = (total_minor - parts.reduce((sum, part) => sum + part, 0)) / step;
  const sign = missing < 0 ? -1 : 1;
  const remainders = exact.map((one, index): [number, Ratio] => [
    index,
    subtractRatio(one, ratio(parts[index] ?? 0)),
  ]);
  remainders.sort(([i, a], [j, b]) => sign * compareRatio(b, a) || i - j);
  for (const [index] of remainders.slice(0, Math.abs(missing)))
    parts[index] = (parts[index] ?? 0) + sign * step;
  return parts;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

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
 * them so that each has its own rounded share, or the next to it.
 */
export function taxSupplies(
  supplies: readonly Supply[],
  prices: TaxBehavior,
  currency: string,
): TaxedSupplies {
  const taxed: TaxedSupply[] = [];
  const groups: TaxGroup[] = [];
  for (const indexes of groupsOf(supplies)) {
    const members = indexes.map((index) => supplies[index] as Supply);
    const tax = (members[0] as Supply).tax;
    const share = taxShare(ratioOfDecimal(tax.rate), prices);
    const exact = members.map(({ total_minor }) => multiplyRatio(ratio(total_minor), share));
    const sum_minor = members.reduce((sum, { total_minor }) => sum + total_minor, 0);
    const tax_minor = roundMoney(multiplyRatio(ratio(sum_minor), share), currency);
    const parts = distribute(tax_minor, exact, currency);
    indexes.forEach((index, at) => {
      taxed[index] = taxedSupply(members[at] as Supply, parts[at] ?? 0, prices, currency);
    });
    groups.push({ tax, ...amounts(sum_minor, tax_minor, prices) });
  }
  groups.sort(({ tax: a }, { tax: b }) => a.rate - b.rate || compare(keyOfTax(a), keyOfTax(b)));
  return { supplies: taxed, groups };
}

/** The indexes of the supplies of each country, category, rate and reason. */
function groupsOf(supplies: readonly Supply[]): number[][] {
  const groups = new Map<string, number[]>();
  supplies.forEach(({ tax }, index) => {
    const key = keyOfTax(tax);
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

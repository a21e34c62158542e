import { minorStep } from '../money/currency.js';
import { fault } from '../faults/fault.js';
import { roundInto, toMajor, type RoundingStep } from '../money/money.js';
import { addRatio, divideRatio, multiplyRatio, ONE, ratio, ratioOfDecimal } from '../money/ratio.js';
import { splitByWeights } from '../money/split.js';
import { taxGroupOf, type TaxBasis, type TaxShare } from './supply.js';

/** Whether prices include VAT, or VAT is added to them. */
export type TaxBehavior = 'inclusive' | 'exclusive';

/** The VAT at one rate. net_minor + vat_minor = gross_minor. */
export interface VatMinor {
  readonly rate: number;
  /** Absent where the rate is set by hand. */
  readonly tax?: TaxBasis;
  readonly net_minor: number;
  readonly vat_minor: number;
  readonly gross_minor: number;
}

/** The same in major units, as stored and shown. */
export interface VatLine {
  readonly rate: number;
  readonly net: number;
  readonly vat: number;
  readonly gross: number;
  /** Absent where the rate is set by hand. */
  readonly tax?: TaxBasis;
}

/**
 * The VAT on the amounts of each rate, in ascending order. Inclusive amounts are gross and contain R(gross * r / (1 + r)); exclusive ones
 * are net, and R(net * r) is added. R rounds once per rate, never per line: 55.55 + 11.11 at 23 % contain 12.46,
 * while line by line it would be 12.47.
 */
export function addVat(
  amounts: readonly TaxShare[],
  behavior: TaxBehavior,
  currency: string,
  steps: RoundingStep[] = [],
): VatMinor[] {
  return groupByTax(amounts).map(({ rate, weight: amount, ...basis }): VatMinor => {
    if (!(rate >= 0 && rate <= 1)) {
      throw fault('fraction.out_of_range', 'vat must be a fraction from 0 to 1', {
        field: 'vat',
        value: rate,
      });
    }
    const share = ratioOfDecimal(rate);
    switch (behavior) {
      case 'inclusive': {
        const exact = multiplyRatio(ratio(amount), divideRatio(share, addRatio(ONE, share)));
        const vat = roundInto(steps, 'vat.included', exact, currency, String(rate));
        return { rate, net_minor: amount - vat, vat_minor: vat, gross_minor: amount, ...basis };
      }
      case 'exclusive': {
        const vat = roundInto(
          steps,
          'vat.added',
          multiplyRatio(ratio(amount), share),
          currency,
          String(rate),
        );
        return { rate, net_minor: amount, vat_minor: vat, gross_minor: amount + vat, ...basis };
      }
    }
  });
}

/** The sums of the shares of each VAT group, in ascending order of the rates. */
export function groupByTax(shares: readonly TaxShare[]): TaxShare[] {
  const groups = new Map<string, TaxShare>();
  for (const { rate, tax, weight } of shares) {
    const key = taxGroupOf({ rate, tax });
    const before = groups.get(key)?.weight ?? 0;
    groups.set(key, { rate, weight: before + weight, ...(tax === undefined ? {} : { tax: grouped(tax) }) });
  }
  return [...groups]
    .sort(([a, { rate }], [b, { rate: other }]) => rate - other || (a < b ? -1 : 1))
    .map(([, group]) => group);
}

/** The basis that all products of a group share. */
function grouped({ standard_for: _product, ...basis }: TaxBasis): TaxBasis {
  return basis;
}

/**
 * The VAT contained in a part of a priced total, for instance one month of a yearly price: `gross_minor` is split
 * among the rates in the same proportion as the whole.
 */
export function vatInside(
  gross_minor: number,
  whole: readonly VatMinor[],
  currency: string,
  steps: RoundingStep[] = [],
): VatMinor[] {
  const shares = whole.map(({ rate, tax, gross_minor: weight }) => ({ rate, tax, weight }));
  return vatOfShares(gross_minor, shares, 'inclusive', currency, steps);
}

/** The VAT of an amount that is divided among rates; none where it has no rates. */
export function vatOfShares(
  amount_minor: number,
  shares: readonly TaxShare[],
  behavior: TaxBehavior,
  currency: string,
  steps: RoundingStep[] = [],
): VatMinor[] {
  if (shares.length === 0) return [];
  const weights = shares.map(({ weight }) => weight);
  const parts = splitByWeights(amount_minor, weights, minorStep(currency));
  const divided = shares.map((share, index) => ({ ...share, weight: parts[index] ?? 0 }));
  return addVat(divided, behavior, currency, steps);
}

/** VAT in major units, as payments store it. */
export function vatLines(vat: readonly VatMinor[], currency: string): VatLine[] {
  return vat.map(({ rate, net_minor, vat_minor, gross_minor, tax }) => ({
    rate,
    net: toMajor(net_minor, currency),
    vat: toMajor(vat_minor, currency),
    gross: toMajor(gross_minor, currency),
    ...(tax === undefined ? {} : { tax }),
  }));
}

import { minorStep } from './currency.js';
import { fault } from '../faults/fault.js';
import { roundInto, toMajor, type RoundingStep } from './money.js';
import { addRatio, divideRatio, multiplyRatio, ONE, ratio, ratioOfDecimal } from './ratio.js';
import { splitByWeights } from './split.js';

/** Whether prices include VAT, or VAT is added to them. */
export type TaxBehavior = 'inclusive' | 'exclusive';

/** The VAT at one rate. net_minor + vat_minor = gross_minor. */
export interface VatMinor {
  readonly rate: number;
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
}

/**
 * The VAT on the amounts of each rate. Inclusive amounts are gross and contain R(gross * r / (1 + r)); exclusive ones
 * are net, and R(net * r) is added. R rounds once per rate, never per line: 55.55 + 11.11 at 23 % contain 12.46,
 * while line by line it would be 12.47.
 */
export function addVat(
  amounts: ReadonlyMap<number, number>,
  behavior: TaxBehavior,
  currency: string,
  steps: RoundingStep[] = [],
): VatMinor[] {
  const byRate = [...amounts].sort(([a], [b]) => a - b);
  return byRate.map(([rate, amount]): VatMinor => {
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
        return { rate, net_minor: amount - vat, vat_minor: vat, gross_minor: amount };
      }
      case 'exclusive': {
        const vat = roundInto(
          steps,
          'vat.added',
          multiplyRatio(ratio(amount), share),
          currency,
          String(rate),
        );
        return { rate, net_minor: amount, vat_minor: vat, gross_minor: amount + vat };
      }
    }
  });
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
  if (whole.length === 0) return [];
  const weights = whole.map((rate) => rate.gross_minor);
  const parts = splitByWeights(gross_minor, weights, minorStep(currency));
  return addVat(
    new Map(whole.map(({ rate }, index) => [rate, parts[index] ?? 0])),
    'inclusive',
    currency,
    steps,
  );
}

/** VAT in major units, as payments store it. */
export function vatLines(vat: readonly VatMinor[], currency: string): VatLine[] {
  return vat.map(({ rate, net_minor, vat_minor, gross_minor }) => ({
    rate,
    net: toMajor(net_minor, currency),
    vat: toMajor(vat_minor, currency),
    gross: toMajor(gross_minor, currency),
  }));
}

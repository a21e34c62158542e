import { minorStep } from './currency.js';
import { fault } from './fault.js';
import { roundInto, toMajor, type RoundingStep } from './money.js';
import { addRatio, divideRatio, multiplyRatio, ONE, ratio, ratioOfDecimal } from './ratio.js';
import { splitByWeights } from './split.js';

/** How prices relate to VAT: they include it, or it is added to them. */
export type TaxBehavior = 'inclusive' | 'exclusive';

/** VAT of one rate. net_minor + vat_minor = gross_minor. */
export interface VatMinor {
  readonly rate: number;
  readonly net_minor: number;
  readonly vat_minor: number;
  readonly gross_minor: number;
}

/** The same in major units, for storing and showing. */
export interface VatLine {
  readonly rate: number;
  readonly net: number;
  readonly vat: number;
  readonly gross: number;
}

/**
 * VAT of the amounts of each rate. Inclusive amounts are gross and hold R(gross * r / (1 + r)); exclusive ones are
 * net and get R(net * r) on top. Rounded once per rate, never per line: 55.55 + 11.11 at 23 % hold 12.46, while
 * line by line they would make 12.47.
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
      throw fault('fraction.out_of_range', 'vat is a fraction from 0 to 1', { field: 'vat', value: rate });
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
 * The VAT inside a part of a priced total, for instance one month of a yearly price: `gross_minor` is spread over
 * the rates as the whole is, and each holds its VAT.
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

/** VAT in major units, as a payment stores it. */
export function vatLines(vat: readonly VatMinor[], currency: string): VatLine[] {
  return vat.map(({ rate, net_minor, vat_minor, gross_minor }) => ({
    rate,
    net: toMajor(net_minor, currency),
    vat: toMajor(vat_minor, currency),
    gross: toMajor(gross_minor, currency),
  }));
}

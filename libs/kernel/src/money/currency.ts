import currencies from 'currency-codes';
import { fault } from '../faults/fault.js';

/**
 * ISO 4217 codes that are not means of payment: metals, bond units, units of account between banks, the testing code
 * and "no currency". The standard defines no minor unit for them, yet the list has 0.
 */
const NOT_MONEY = new Set([
  'XAG',
  'XAU',
  'XBA',
  'XBB',
  'XBC',
  'XBD',
  'XDR',
  'XPD',
  'XPT',
  'XSU',
  'XTS',
  'XUA',
  'XXX',
]);

const EXPONENTS: ReadonlyMap<string, number> = new Map(
  currencies.data
    .filter(({ code }) => !NOT_MONEY.has(code))
    .map(({ code, digits }): [string, number] => [code, digits]),
);

/** Their smaller unit is a fifth, which neither decimals nor the card provider can express. */
const IN_FIFTHS = new Set(['MGA', 'MRU']);

interface CurrencyProblem {
  readonly code: string;
  readonly message: string;
}

/** The reason why nothing can be priced in a currency, as the code of a fault and a sentence; null where it can. */
export function currencyProblem(currency: string): CurrencyProblem | null {
  if (!isCurrency(currency)) return problem('currency.unknown', `${currency} is not an ISO 4217 currency`);
  if (!IN_FIFTHS.has(currency)) return null;
  return problem('currency.unsupported', `${currency} is counted in fifths, which cannot be charged`);
}

function problem(code: string, message: string): CurrencyProblem {
  return { code, message };
}

/** True for the upper-case code of a currency of ISO 4217. */
export function isCurrency(code: string): boolean {
  return EXPONENTS.has(code);
}

/** The decimals of a currency: 0 for JPY, 2 for most, 3 for BHD IQD JOD KWD LYD OMR TND. */
export function exponentOf(code: string): number {
  const exponent = EXPONENTS.get(code);
  if (exponent === undefined) throw fault('currency.unknown', `${code} is not an ISO 4217 currency`);
  return exponent;
}

/** The step of amounts in minor units: card providers accept three-decimal currencies in tens of them only. */
export function minorStep(code: string): 1 | 10 {
  return exponentOf(code) === 3 ? 10 : 1;
}

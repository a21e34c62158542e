import currencies from 'currency-codes';
import { fault } from './fault.js';

/**
 * Codes of ISO 4217 that no one is paid in: metals, bond units, units of account between banks, the testing code
 * and "no currency". The standard gives them no minor unit, the list says 0.
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

/** True for an upper-case ISO 4217 code that money can be in. */
export function isCurrency(code: string): boolean {
  return EXPONENTS.has(code);
}

/** Decimals of the currency: 0 for JPY, 2 for most, 3 for BHD IQD JOD KWD LYD OMR TND. */
export function exponentOf(code: string): number {
  const exponent = EXPONENTS.get(code);
  if (exponent === undefined) throw fault('currency.unknown', `${code} is not an ISO 4217 currency`);
  return exponent;
}

/** Card providers take three-decimal currencies in tens of the minor unit only, so amounts move in that step. */
export function minorStep(code: string): 1 | 10 {
  return exponentOf(code) === 3 ? 10 : 1;
}

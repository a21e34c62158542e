import * as read from '../http/params.js';
import { badParameter } from '../http/refusal.js';

const KNOWN = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));
/** Three decimals, of which the provider takes two: the last digit of an amount must be 0. */
const THREE_DECIMALS = new Set(['bhd', 'iqd', 'jod', 'kwd', 'lyd', 'omr', 'tnd']);
/** Twelve digits. */
const LARGEST = 999_999_999_999;

export function currencyOf(params: read.Params, name = 'currency'): string | undefined {
  const currency = read.filled(params, name)?.toLowerCase();
  if (currency !== undefined && !KNOWN.has(currency))
    throw badParameter(name, `Unknown currency: ${currency}`);
  return currency;
}

/** An amount in minor units, at least 1. */
export function amountOf(params: read.Params, currency: string): number | undefined {
  const amount = read.integer(params, 'amount');
  if (amount === undefined) return undefined;
  if (amount < 1) throw badParameter('amount', 'amount must be at least 1', 'parameter_invalid_integer');
  if (amount > LARGEST) throw badParameter('amount', 'amount has at most twelve digits', 'amount_too_large');
  if (THREE_DECIMALS.has(currency) && amount % 10 !== 0) {
    throw badParameter(
      'amount',
      `amounts in ${currency} must be multiples of 10`,
      'parameter_invalid_integer',
    );
  }
  return amount;
}

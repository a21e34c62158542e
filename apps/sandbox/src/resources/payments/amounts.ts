import * as read from '../../http/params.js';
import { badParameter } from '../../http/refusal.js';
import type { PaymentIntentRecord } from '../../ledger/records.js';
import type { Transaction } from '../../ledger/transaction.js';
import { behaviourOf } from '../control/behaviour.js';

const KNOWN = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));
/** Three decimals, of which the provider takes two: the last digit of an amount must be 0. */
const THREE_DECIMALS = /^(bhd|iqd|jod|kwd|lyd|omr|tnd)$/;
/** Twelve digits. */
const LARGEST = 999_999_999_999;

/**
 * The least that the provider takes in a charge, in the smallest unit of the currency.
 * Source: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
 */
const MINIMUMS = new Map(
  (
    'aed 200, aud 50, bgn 100, brl 50, cad 50, chf 50, czk 1500, dkk 250, eur 50, gbp 30, hkd 400, huf 17500, ' +
    'inr 50, jpy 50, mxn 1000, myr 200, nok 300, nzd 50, pln 200, ron 200, sek 300, sgd 50, thb 1000, usd 50'
  )
    .split(', ')
    .map((each) => [each.slice(0, 3), Number(each.slice(4))]),
);

export function currencyOf(params: read.Params): string | undefined {
  const currency = read.filled(params, 'currency')?.toLowerCase();
  if (currency === undefined || KNOWN.has(currency)) return currency;
  throw badParameter('currency', `Unknown currency: ${currency}`);
}

/** An amount in minor units, at least 1. */
export function amountOf(params: read.Params, currency: string): number | undefined {
  const amount = read.integer(params, 'amount');
  if (amount === undefined) return undefined;
  if (amount > LARGEST) throw badParameter('amount', 'amount has at most twelve digits', 'amount_too_large');
  if (amount >= 1 && !(THREE_DECIMALS.test(currency) && amount % 10 !== 0)) return amount;
  const message = `${String(amount)} cannot be charged in ${currency}`;
  throw badParameter('amount', message, 'parameter_invalid_integer');
}

/**
 * Refuses an amount below the minimum of its currency, or below that of the customer's behaviour, which stands for a
 * higher minimum in the currency of the account's settlement.
 */
export function requireEnough(tx: Transaction, intent: PaymentIntentRecord): void {
  const { amount, currency, customer } = intent;
  const minimum = Math.max(MINIMUMS.get(currency) ?? 0, behaviourOf(tx, customer)?.minimum ?? 0);
  if (amount >= minimum) return;
  throw badParameter('amount', `${currency} is charged from ${String(minimum)} on`, 'amount_too_small');
}

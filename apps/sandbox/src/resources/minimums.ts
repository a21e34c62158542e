import { badParameter } from '../http/refusal.js';
import type { PaymentIntentRecord } from '../ledger/records.js';
import type { Transaction } from '../ledger/transaction.js';
import { behaviourId } from './behaviour.js';

/**
 * The least that the provider takes in a charge, in the smallest unit of the currency.
 * Source: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
 */
const MINIMUMS: Readonly<Record<string, number>> = {
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
  usd: 50,
};

/** 0 where there is none. */
function minimumOf(currency: string): number {
  return MINIMUMS[currency] ?? 0;
}

/**
 * Refuses an amount below the minimum of its currency, or below what the customer's behaviour asks for, which stands
 * for a higher minimum in the currency that the account is settled in.
 */
export function requireEnough(
  tx: Transaction,
  { amount, currency, customer }: Pick<PaymentIntentRecord, 'amount' | 'currency' | 'customer'>,
): void {
  const behaviour = customer === null ? undefined : tx.get('behaviour', behaviourId(customer));
  const minimum = Math.max(minimumOf(currency), behaviour?.minimum ?? 0);
  if (amount >= minimum) return;
  throw badParameter('amount', `${currency} is charged from ${String(minimum)} on`, 'amount_too_small');
}

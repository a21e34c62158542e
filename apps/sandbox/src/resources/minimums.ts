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
export function minimumOf(currency: string): number {
  return MINIMUMS[currency] ?? 0;
}

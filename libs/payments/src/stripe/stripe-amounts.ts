import { exponentOf, fault } from '@commerce/kernel';

/**
 * Currencies whose smallest unit differs between Stripe and ISO 4217, with the decimals that Stripe counts. Source:
 * https://docs.stripe.com/currencies, zero-decimal currencies and special cases.
 */
const STRIPE_DECIMALS: Readonly<Record<string, number>> = {
  // Became currencies without decimals, but Stripe still takes hundredths, which must be 00.
  ISK: 2,
  UGX: 2,
  // Has fifths in ISO 4217; Stripe takes whole ariary.
  MGA: 0,
};

/** Of three decimals the last must be 0. */
const THREE_DECIMALS_STEP = 10;

/**
 * An amount in ISO 4217 minor units as Stripe counts it.
 * @throws Fault `amount.not_chargeable` where the amount has decimals that Stripe does not accept
 */
export function toStripeAmount(minor: number, currency: string): number {
  const iso = exponentOf(currency);
  const decimals = STRIPE_DECIMALS[currency] ?? iso;
  const amount = decimals >= iso ? minor * 10 ** (decimals - iso) : minor / 10 ** (iso - decimals);
  const step = decimals === 3 ? THREE_DECIMALS_STEP : 1;
  if (Number.isSafeInteger(amount) && amount % step === 0) return amount;
  throw fault('amount.not_chargeable', `The card provider does not take this amount of ${currency}`, {
    amount_minor: minor,
    currency,
  });
}

/** The inverse of toStripeAmount. */
export function fromStripeAmount(amount: number, currency: string): number {
  const code = currency.toUpperCase();
  const iso = exponentOf(code);
  const decimals = STRIPE_DECIMALS[code] ?? iso;
  return decimals >= iso ? Math.round(amount / 10 ** (decimals - iso)) : amount * 10 ** (iso - decimals);
}

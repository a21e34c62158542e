import type { Decline } from '../payments/payment.record.js';

/**
 * Declines for which a retry of the same card is futile: it is lost, stolen, closed, expired or invalid, or its bank
 * forbade another request. All others are soft. Source: https://docs.stripe.com/declines/codes
 */
const HARD: ReadonlySet<string> = new Set([
  'account_closed',
  'bank_account_closed',
  'card_not_supported',
  'currency_not_supported',
  'expired_card',
  'fraudulent',
  'highest_risk_level',
  'incorrect_cvc',
  'incorrect_number',
  'invalid_account',
  'invalid_cvc',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'invalid_number',
  'live_mode_test_card',
  'lost_card',
  'merchant_blacklist',
  'new_account_information_available',
  'not_permitted',
  'pickup_card',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'security_violation',
  'service_not_allowed',
  'stolen_card',
  'stop_payment_order',
  'testmode_decline',
  'transaction_not_allowed',
]);

/** The decline of a code, unless the advice of the card network overrides it. */
export function declineOf(code: string | null, advice: string | null): Decline {
  if (advice === 'do_not_try_again' || advice === 'confirm_card_data') return 'hard';
  if (advice === 'try_again_later') return 'soft';
  return code !== null && HARD.has(code) ? 'hard' : 'soft';
}

import type { CardRefusal } from '../ledger/records.js';

export interface Decline {
  readonly code: string;
  readonly decline_code?: string;
  readonly advice_code?: 'do_not_try_again' | 'try_again_later' | 'confirm_card_data';
  readonly message: string;
}

const coded = (code: string, message: string, advice_code: Decline['advice_code']): Decline => ({
  code,
  message,
  advice_code,
});
const declined = (
  decline_code: string,
  message: string,
  advice_code: Decline['advice_code'] = 'try_again_later',
): Decline => ({ ...coded('card_declined', message, advice_code), decline_code });

const DECLINED = 'The card was declined.';
const NEVER = 'do_not_try_again';

/** Every way an issuer may decline, by the name that scripts use. */
export const DECLINES = {
  generic_decline: declined('generic_decline', DECLINED),
  insufficient_funds: declined('insufficient_funds', 'The card has insufficient funds.'),
  card_velocity_exceeded: declined('card_velocity_exceeded', 'The card is over its limit for now.'),
  do_not_honor: declined('do_not_honor', DECLINED),
  try_again_later: declined('try_again_later', 'The card was declined for the moment.'),
  issuer_not_available: declined('issuer_not_available', 'The issuer of the card could not be reached.'),
  lost_card: declined('lost_card', DECLINED, NEVER),
  stolen_card: declined('stolen_card', DECLINED, NEVER),
  pickup_card: declined('pickup_card', DECLINED, NEVER),
  restricted_card: declined('restricted_card', DECLINED, NEVER),
  invalid_account: declined('invalid_account', 'The account behind the card is closed or unknown.', NEVER),
  fraudulent: declined('fraudulent', DECLINED, NEVER),
  expired_card: coded('expired_card', 'The card has expired.', NEVER),
  incorrect_cvc: coded('incorrect_cvc', "The card's security code is wrong.", 'confirm_card_data'),
  processing_error: coded(
    'processing_error',
    'An error occurred while the card was processed.',
    'try_again_later',
  ),
} as const satisfies Record<string, Decline>;
export type DeclineName = keyof typeof DECLINES;

/** The card cannot be charged while the customer is away. */
export const AUTHENTICATION_REQUIRED: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'The card was declined: this payment needs the customer to authenticate.',
};

/** Ways in which a request or its answer goes wrong on the way. */
export type WayWrong = 'hang' | 'reset' | 'cut' | 'error' | 'busy' | 'slow';

export type Fault =
  /** Nothing is done, once per operation; the same request sent again goes through. */
  | { readonly strikes: 'before'; readonly way: WayWrong }
  /** The work is done and its answer kept; the answer does not arrive, `times` times. */
  | { readonly strikes: 'after'; readonly way: Exclude<WayWrong, 'slow'>; readonly times: number }
  /** The work is done, and the answer that is kept is a 500. */
  | { readonly strikes: 'for_good' }
  /** The work is done; `copies` of each notice are sent. */
  | { readonly strikes: 'notices'; readonly copies?: number };

/** By the name that scripts use; `pm_card_fault_<name>` is the card that always behaves so. */
export const FAULTS = {
  timeout_once: { strikes: 'before', way: 'hang' },
  timeout_after_charge: { strikes: 'after', way: 'hang', times: 1 },
  reset_once: { strikes: 'before', way: 'reset' },
  reset_after_charge: { strikes: 'after', way: 'reset', times: 1 },
  cut_after_charge: { strikes: 'after', way: 'cut', times: 1 },
  '500_once': { strikes: 'before', way: 'error' },
  '500_twice_after_charge': { strikes: 'after', way: 'error', times: 2 },
  '500_after_charge': { strikes: 'for_good' },
  '429_once': { strikes: 'before', way: 'busy' },
  slow_charge: { strikes: 'before', way: 'slow' },
  duplicate_notice: { strikes: 'notices', copies: 5 },
  lost_notice: { strikes: 'notices', copies: 0 },
  stale_failure_notice: { strikes: 'notices' },
} as const satisfies Record<string, Fault>;
export type FaultName = keyof typeof FAULTS;

/** What a charge comes to. `late_*` stay in processing first. */
export type OutcomeName =
  | 'succeed'
  | 'authentication_required'
  | 'late_success'
  | 'late_failure'
  | DeclineName
  | FaultName;

/** What a refund comes to; the faults among them strike the refund as they would a charge. */
export type RefundOutcomeName = 'succeed' | 'pending' | 'fail_later' | 'balance_insufficient' | FaultName;

const OTHER = ['succeed', 'authentication_required', 'late_success', 'late_failure'] as const;
export const OUTCOME_NAMES: readonly string[] = [...OTHER, ...Object.keys(DECLINES), ...Object.keys(FAULTS)];
export const REFUND_OUTCOME_NAMES: readonly string[] = [
  'succeed',
  'pending',
  'fail_later',
  'balance_insufficient',
  ...Object.keys(FAULTS),
];

export const isDecline = (name: string): name is DeclineName => Object.hasOwn(DECLINES, name);
export const faultNamed = (name: string): Fault | undefined =>
  Object.hasOwn(FAULTS, name) ? FAULTS[name as FaultName] : undefined;

/** The decline as a card error about this payment method. */
export function cardRefusal(decline: Decline, payment_method: string, charge?: string): CardRefusal {
  const { code, decline_code, advice_code, message } = decline;
  return { type: 'card_error', code, decline_code, advice_code, message, charge, payment_method };
}

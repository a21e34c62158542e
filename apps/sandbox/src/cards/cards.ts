import { FAULTS, type OutcomeName } from './outcomes.js';

/**
 * When the issuer wants to see the customer:
 * - unless_set_up: always while they are there, and otherwise until the card has been set up for later charges
 * - on_session: only while they are there
 */
export type Authentication = 'never' | 'unless_set_up' | 'on_session' | 'always';

/** A test card. It is reached by its number, as pm_card_<name> and as tok_<name>. */
export interface Card {
  readonly name: string;
  readonly number: string;
  readonly brand: string;
  readonly funding: 'credit' | 'debit' | 'prepaid';
  readonly country: string;
  readonly authentication: Authentication;
  readonly outcome: OutcomeName;
  readonly refund: 'succeed' | 'pending' | 'fail_later' | 'balance_insufficient';
  /** The reason of a later dispute, or of a later inquiry. */
  readonly dispute?: string;
  readonly inquiry?: string;
}

const BRANDS: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'visa'],
  [/^(5|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^(6011|655)/, 'discover'],
  [/^3[068]/, 'diners'],
  [/^35/, 'jcb'],
  [/^62/, 'unionpay'],
];

/** Name, number and how the card differs from one that succeeds. */
const BY_BEHAVIOUR = `
visa 4242424242424242
visa_debit 4000056655665556 funding=debit
mastercard 5555555555554444
mastercard_2_series 2223003122003222
mastercard_debit 5200828282828210 funding=debit
mastercard_prepaid 5105105105105100 funding=prepaid
amex 378282246310005
amex_threeDSecureNotSupported 371449635398431
discover 6011111111111117
diners 3056930009020004
jcb 3566002020360505 country=JP
unionpay 6200000000000005 country=CN
bypassPending 4000000000000077
visa_chargeDeclined 4000000000000002 outcome=generic_decline
visa_chargeDeclinedInsufficientFunds 4000000000009995 outcome=insufficient_funds
visa_chargeDeclinedLostCard 4000000000009987 outcome=lost_card
visa_chargeDeclinedStolenCard 4000000000009979 outcome=stolen_card
visa_chargeDeclinedFraudulent 4100000000000019 outcome=fraudulent
visa_chargeDeclinedVelocityLimitExceeded 4000000000006975 outcome=card_velocity_exceeded
chargeDeclinedExpiredCard 4000000000000069 outcome=expired_card
chargeDeclinedIncorrectCvc 4000000000000127 outcome=incorrect_cvc
chargeDeclinedProcessingError 4000000000000119 outcome=processing_error
chargeCustomerFail 4000000000000341 outcome=generic_decline
authenticationRequiredOnSetup 4000002500003155 authentication=unless_set_up country=FR
authenticationRequired 4000002760003184 authentication=always country=DE
authenticationRequiredSetupForOffSession 4000003800000446 authentication=on_session country=IT
authenticationRequiredChargeDeclinedInsufficientFunds 4000008260003178 authentication=always country=GB outcome=insufficient_funds
threeDSecure2Required 4000000000003220 authentication=always country=IE
threeDSecureRequired 4000000000003063 authentication=always
threeDSecureRequiredChargeDeclined 4000008400001629 authentication=always outcome=generic_decline
threeDSecureOptional 4000000000003055
createDispute 4000000000000259 dispute=fraudulent
createDisputeProductNotReceived 4000000000002685 dispute=product_not_received
createDisputeInquiry 4000000000001976 inquiry=fraudulent
pendingRefund 4000000000007726 refund=pending
refundFail 4000000000005126 refund=fail_later`;

/** Two letters of the country, as in pm_card_de, and the number. */
const BY_COUNTRY = [
  'ar 4000000320000021, br 4000000760000002, ca 4000001240000000, mx 4000004840008001, ae 4000007840000001',
  'at 4000000400000008, be 4000000560000004, bg 4000001000000000, ch 4000007560000009, cy 4000001960000008',
  'cz 4000002030000002, de 4000002760000016, dk 4000002080000001, ee 4000002330000009, es 4000007240000007',
  'fi 4000002460000001, fr 4000002500000003, gb 4000008260000000, gr 4000003000000030, hr 4000001910000009',
  'hu 4000003480000005, ie 4000003720000005, it 4000003800000008, lt 4000004400000000, lu 4000004420000006',
  'lv 4000004280000005, mt 4000004700000007, nl 4000005280000002, no 4000005780000007, pl 4000006160000005',
  'pt 4000006200000007, ro 4000006420000001, se 4000007520000008, si 4000007050000006, sk 4000007030000001',
  'au 4000000360000006, cn 4000001560000002, hk 4000003440000004, in 4000003560000008, jp 4000003920000003',
  'my 4000004580000002, nz 4000005540000008, sg 4000007020000003',
]
  .flatMap((line) => line.split(', '))
  .map((pair) => `${pair} country=${pair.slice(0, 2).toUpperCase()}`);

/** Made up for this sandbox. Their numbers pass the check digit, and no issuer has published them. */
const OWN = [
  `refundRefused ${withCheckDigit('400000980000000')} refund=balance_insufficient`,
  ...[...Object.keys(FAULTS), 'late_success', 'late_failure'].map(
    (name, index) =>
      `fault_${name} ${withCheckDigit(`40000099${String(index).padStart(7, '0')}`)} outcome=${name}`,
  ),
];

export const CARDS: readonly Card[] = [...BY_BEHAVIOUR.trim().split('\n'), ...BY_COUNTRY, ...OWN].map(
  (line) => {
    const [name = '', number = '', ...differences] = line.split(' ');
    const brand = BRANDS.find(([start]) => start.test(number))?.[1] ?? 'unknown';
    const usual = {
      funding: 'credit',
      country: 'US',
      authentication: 'never',
      outcome: 'succeed',
      refund: 'succeed',
    };
    const special = Object.fromEntries(differences.map((each) => each.split('='))) as Partial<Card>;
    return { name, number, brand, ...usual, ...special } as Card;
  },
);

/** Other published names for the same cards. */
const ALIASES: Readonly<Record<string, string>> = {
  us: 'visa',
  radarBlock: 'visa_chargeDeclinedFraudulent',
  chargeDeclined: 'visa_chargeDeclined',
  chargeDeclinedInsufficientFunds: 'visa_chargeDeclinedInsufficientFunds',
  chargeDeclinedLostCard: 'visa_chargeDeclinedLostCard',
  chargeDeclinedStolenCard: 'visa_chargeDeclinedStolenCard',
  chargeDeclinedFraudulent: 'visa_chargeDeclinedFraudulent',
  chargeDeclinedVelocityLimitExceeded: 'visa_chargeDeclinedVelocityLimitExceeded',
};

const byName = new Map(CARDS.map((each) => [each.name, each]));
const byNumber = new Map(CARDS.map((each) => [each.number, each]));

/** The card of a record; records only ever name cards that exist. */
export function cardNamed(name: string): Card {
  const found = byName.get(name);
  if (found === undefined) throw new Error(`There is no test card ${name}`);
  return found;
}

/** The card behind pm_card_<name> or tok_<name>. */
export function cardOfToken(token: string): Card | undefined {
  const name = /^(?:pm_card|tok)_(.+)$/.exec(token)?.[1];
  return name === undefined ? undefined : byName.get(ALIASES[name] ?? name);
}

export const cardOfNumber = (number: string): Card | undefined => byNumber.get(number);

/** Whether the issuer wants to see the customer for this charge. */
export function wantsCustomer(card: Card, charge: { offSession: boolean; setUp: boolean }): boolean {
  switch (card.authentication) {
    case 'never':
      return false;
    case 'always':
      return true;
    case 'on_session':
      return !charge.offSession;
    case 'unless_set_up':
      return !(charge.offSession && charge.setUp);
  }
}

/** The digits followed by the one that makes the whole number pass the Luhn check. */
export function withCheckDigit(digits: string): string {
  const check = [...'0123456789'].find((digit) => passesCheck(digits + digit));
  return digits + (check ?? '');
}

export function passesCheck(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

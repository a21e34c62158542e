/** Decides on the part of a VAT id behind its letters; null leaves the decision to the library. */
type Form = (rest: string) => boolean | null;

/**
 * The forms of the VIES FAQ that `jsvat-next` lacks or does not check, by the letters of the id. A form that is not
 * mentioned here is checked by the library.
 */
export const OWN_FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['FR', (rest) => (/^\d{11}$/.test(rest) ? null : isFrenchByLetters(rest))],
  ['IE', isIrish],
  // Personal codes since July 2017 begin with 32 and have no check digit.
  ['LV', (rest) => (/^3[2-9]\d{9}$/.test(rest) ? true : null)],
  ['NL', (rest) => (/^\d{9}B\d{2}$/.test(rest) ? null : isDutchBySigns(rest))],
]);

/** The letters and digits of French keys: without I and O. */
const FRENCH_SIGNS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A French key with a letter: both of its signs together check the number of the company by 11. */
function isFrenchByLetters(rest: string): boolean {
  if (!/^[0-9A-HJ-NP-Z]{2}\d{9}$/.test(rest)) return false;
  const [first = 0, second = 0] = [...rest.slice(0, 2)].map((sign) => FRENCH_SIGNS.indexOf(sign));
  const key = first < 10 ? first * 24 + second - 10 : first * 34 + second - 100;
  return (Number(rest.slice(2)) + 1 + Math.floor(key / 11)) % 11 === key % 11;
}

const IRISH_WEIGHTS = [8, 7, 6, 5, 4, 3, 2];
const IRISH_CHECKS = 'WABCDEFGHIJKLMNOPQRSTUV';

/** Seven digits, or a letter, + or * in the second place; the check letter; since 2013 one more letter from A to I. */
function isIrish(rest: string): boolean {
  const match = /^(\d)([0-9A-Z+*])(\d{5})([A-W])([A-I]?)$/.exec(rest);
  if (match === null) return false;
  const [, first = '', second = '', middle = '', check = '', last = ''] = match;
  const digits = /\d/.test(second) ? first + second + middle : `0${middle}${first}`;
  const sum = IRISH_WEIGHTS.reduce((all, weight, at) => all + weight * Number(digits[at]), 0);
  const more = last === '' ? 0 : 9 * IRISH_CHECKS.indexOf(last);
  return IRISH_CHECKS[(sum + more) % 23] === check;
}

/** Letters, + and * count from 10 on. */
const DUTCH_SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+*';

/** A Dutch id with signs other than digits: with its letters it leaves 1 by 97. */
function isDutchBySigns(rest: string): boolean {
  if (!/^[0-9A-Z+*]{9}B\d{2}$/.test(rest)) return false;
  const digits = [...`NL${rest}`].map((sign) => DUTCH_SIGNS.indexOf(sign)).join('');
  return BigInt(digits) % 97n === 1n;
}

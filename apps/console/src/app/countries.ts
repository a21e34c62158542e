import { T } from '../texts';

/** Codes of the browser that name no country. */
const NO_COUNTRIES = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const regions = new Intl.DisplayNames(T.locale, { type: 'region', fallback: 'none' });

/** The countries by their ISO 3166-1 code of two letters, in the order of their names. */
export const COUNTRIES: Readonly<Record<string, string>> = Object.fromEntries(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => !NO_COUNTRIES.has(code) && isCurrent(code))
    .flatMap((code) => [[code, regions.of(code)] as const])
    .filter((one): one is readonly [string, string] => one[1] !== undefined)
    .sort(([, a], [, b]) => a.localeCompare(b, T.locale)),
);

/** The code of a former country is an alias of another one. */
function isCurrent(code: string): boolean {
  return Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;
}

import jsvat from 'jsvat-next';

import { isVatPrefix, memberStateOf, vatPrefixOf } from './vat-area.js';
import { OWN_FORMS } from './vat-id-forms.js';

/** The letters before VAT ids of Northern Ireland, which belongs to the EU as far as goods are concerned. */
const NORTHERN_IRELAND = 'XI';

/** Whether this is a VAT id of the member state, by its form and check digits. */
export function isVatIdOf(vat_id: string, member: string): boolean {
  return lettersOf(vat_id) === vatPrefixOf(member) && isWellFormed(vat_id);
}

/** Whether this is a VAT id of Northern Ireland, by its form and check digits. */
export function isNorthernIrish(vat_id: string): boolean {
  return lettersOf(vat_id) === NORTHERN_IRELAND && isWellFormed(vat_id);
}

/**
 * The reason why a VAT id cannot be that of a party in this country; null where it can. The ids of countries outside
 * the EU have no rules here.
 */
export function vatIdProblem(vat_id: string, country: string | null): string | null {
  const member = country === null ? null : memberStateOf(country);
  const letters = lettersOf(vat_id);
  if (member !== null && letters !== vatPrefixOf(member)) {
    return `must begin with ${vatPrefixOf(member)}, the letters of the country of the address`;
  }
  const isKnown = isVatPrefix(letters) || letters === NORTHERN_IRELAND;
  return isKnown && !isWellFormed(vat_id) ? 'is no VAT id: its form or its check digits are wrong' : null;
}

/** Whether VIES knows ids of this form. */
export function isVatIdOfVies(vat_id: string): boolean {
  const letters = lettersOf(vat_id);
  return (isVatPrefix(letters) || letters === NORTHERN_IRELAND) && isWellFormed(vat_id);
}

/** The letters of a VAT id and what is behind them, as VIES names it. */
export function viesNumberOf(vat_id: string): { readonly countryCode: string; readonly vatNumber: string } {
  const text = compact(vat_id);
  return { countryCode: text.slice(0, 2), vatNumber: text.slice(2) };
}

function lettersOf(vat_id: string): string {
  return compact(vat_id).slice(0, 2);
}

function isWellFormed(vat_id: string): boolean {
  const letters = lettersOf(vat_id);
  const rest = compact(vat_id).slice(2);
  const own = OWN_FORMS.get(letters)?.(rest) ?? null;
  if (own !== null) return own;
  // The library knows one of the forms of Northern Ireland, which are those of Great Britain.
  const known = letters === NORTHERN_IRELAND ? 'GB' : letters;
  return jsvat.checkVAT(known + rest, jsvat.countries).isValid;
}

/** The id without the signs that people put between its groups. */
function compact(vat_id: string): string {
  return vat_id.replace(/[\s./-]+/g, '').toUpperCase();
}

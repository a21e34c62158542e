/** The member states of the EU. */
const MEMBERS: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** The member state whose VAT law applies in a country; null outside the EU. Monaco counts as France. */
export function memberStateOf(country: string): string | null {
  if (country === 'MC') return 'FR';
  return MEMBERS.has(country) ? country : null;
}

/** The letters before the VAT ids of a member state: those of the country, but EL in Greece. */
export function vatPrefixOf(member: string): string {
  return member === 'GR' ? 'EL' : member;
}

/** Whether the VAT ids of a member state begin with these letters. */
export function isVatPrefix(letters: string): boolean {
  return letters === 'EL' || (letters !== 'GR' && MEMBERS.has(letters));
}

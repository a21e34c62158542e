import { memberStateOf } from './vat-area.js';
import { vatIdProblem } from './vat-id.js';

/**
 * The forms of each member state and of Northern Ireland in the FAQ of VIES, with an id of each: the first ids of a row
 * are well-formed, those behind the bar have one sign changed.
 */
const FORMS = `
AT ATU13585627 | ATU13585628
BE BE0428759497 BE1428759421 | BE0428759498
BG BG175074752 BG7523169263 | BG175074753
CY CY10259033P | CY10259033Q
CZ CZ25123891 CZ640903926 CZ7103192745 | CZ25123892 CZ7103192746
DE DE136695976 | DE136695975
DK DK13585628 | DK13585627
EE EE100931558 | EE100931559
GR EL094259216 | EL094259217
ES ESA13585625 ESX5253868R ES54362315K ESQ2818015F | ESA13585624 ES54362315L
FI FI20774740 | FI20774741
FR FR40303265045 FRK7399859412 FR4Z123456782 FRAM303265045 | FR40303265046 FRXX999999999 FRL7399859412 FRIO334175221
HR HR33392005961 | HR33392005962
HU HU12892312 | HU12892313
IE IE6433435F IE8D79739I IE0+79739P IE6433435OA IE6433435IH IE6433435RI | IE6433435G IE6433435OB IE6433435JH IE8D79739J IE6433435FJ
IT IT00743110157 | IT00743110158
LT LT119511515 LT100001919017 | LT119511516 LT100001919018
LU LU15027442 | LU15027443
LV LV40003521600 LV32867300679 LV32867300670 | LV40003521601 LV3286730067
MT MT11679112 | MT11679113
NL NL004495445B01 NL000099998B57 NL12345678AB71 | NL004495446B02 NL12345678AB72
PL PL8567346215 | PL8567346216
PT PT501964843 | PT501964844
RO RO18547290 RO35 | RO18547291
SE SE556188840401 | SE556188840501
SI SI50223054 | SI50223055
SK SK2022749619 | SK2022749618
GB XI980780684 XI980780684001 XIGD001 XIGD499 XIHA501 | XI980780685 XI980780685001 XIGD500 XIHA499 XIGD01`
  .trim()
  .split('\n')
  .map((row) => {
    const [country = '', ...ids] = row.split(' ');
    const bar = ids.indexOf('|');
    return { country, good: ids.slice(0, bar), bad: ids.slice(bar + 1) };
  });

const MALFORMED = 'is no VAT id: its form or its check digits are wrong';

describe('vatIdProblem', () => {
  it.each([
    ['DE136695976', 'DE'],
    ['de 136 695 976', 'DE'],
    ['FR40303265045', 'FR'],
    ['FR40303265045', 'MC'],
    ['EL094259216', 'GR'],
    ['ATU13585627', 'AT'],
    ['NL000099998B57', 'NL'],
    ['XI980780684', 'GB'],
    ['DE136695976', 'CH'],
    ['DE136695976', null],
    ['12-3456789', 'US'],
  ])('accepts %s in %s', (vat_id, country) => {
    expect(vatIdProblem(vat_id, country)).toBeNull();
  });

  it.each([
    ['DE136695975', 'DE', MALFORMED],
    ['DE13669597', null, MALFORMED],
    ['FR40303265046', 'FR', MALFORMED],
    ['XI980780685', 'GB', MALFORMED],
    ['DE136695976', 'FR', 'must begin with FR, the letters of the country of the address'],
    ['GR094259216', 'GR', 'must begin with EL, the letters of the country of the address'],
    ['136695976', 'DE', 'must begin with DE, the letters of the country of the address'],
  ])('refuses %s in %s', (vat_id, country, problem) => {
    expect(vatIdProblem(vat_id, country)).toBe(problem);
  });

  it('has a row for every member state, and for Northern Ireland', () => {
    const members = FORMS.filter(({ country }) => memberStateOf(country) === country);
    expect(members).toHaveLength(27);
    expect(FORMS).toHaveLength(28);
  });

  it.each(FORMS)('knows the forms of $country', ({ country, good, bad }) => {
    expect(good.filter((vat_id) => vatIdProblem(vat_id, country) !== null)).toEqual([]);
    expect(bad.filter((vat_id) => vatIdProblem(vat_id, country) !== MALFORMED)).toEqual([]);
  });

  it('reads an id with the signs that people put between its groups', () => {
    for (const vat_id of ['FR 40 303 265 045', 'f r-40.303.265.045', 'xi 980 7806 84 001']) {
      expect(vatIdProblem(vat_id, vat_id.startsWith('x') ? 'GB' : 'FR')).toBeNull();
    }
  });
});

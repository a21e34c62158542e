import { vatIdProblem } from './vat-id.js';

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
});

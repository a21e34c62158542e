import { ecbRates } from './ecb-rates.js';

const DOLLAR = { currency: 'USD', day: '2026-11-25', rate: 1.085 };
const CROWN = { currency: 'SEK', day: '2026-11-25', rate: 11.02 };

describe('the rates of a file of the ECB', () => {
  it.each([
    ['CSV of one day', 'Date, USD, SEK, \n25 November 2026, 1.0850, 11.020, \n'],
    ['CSV of many days', '\uFEFFDate,USD,SEK,ISK,\r\n2026-11-25,1.085,11.02,N/A,\r\n'],
    [
      'XML',
      `<?xml version="1.0"?><gesmes:Envelope><Cube><Cube time='2026-11-25'>
        <Cube currency='USD' rate='1.0850'/><Cube currency='SEK' rate='11.020'/></Cube></Cube></gesmes:Envelope>`,
    ],
  ])('are read from %s', (_form, text) => {
    expect(ecbRates(text)).toEqual([DOLLAR, CROWN]);
  });

  it('are of each day of the file', () => {
    const text = 'Date,USD,\n2026-11-25,1.085,\n2026-11-24,1.09,\n';
    expect(ecbRates(text)).toEqual([DOLLAR, { ...DOLLAR, day: '2026-11-24', rate: 1.09 }]);
  });

  it.each([
    ['an empty file', '', 'begins neither with Date nor with XML'],
    ['another file', 'a,b\n1,2', 'begins neither with Date nor with XML'],
    ['a page of the web', '<html></html>', 'has no rate'],
    ['a day in other words', 'Date,USD\nyesterday,1', 'names no day: yesterday'],
    ['a rate of 0', 'Date,USD\n2026-11-25,0', 'has no rate of a currency: USD 0'],
    ['a rate in words', "<Cube time='2026-11-25'><Cube currency='USD' rate='one'/></Cube>", 'has no rate of'],
  ])('are refused from %s', (_form, text, why) => {
    expect(() => ecbRates(text)).toThrow(why);
  });
});

import fc from 'fast-check';
import Papa from 'papaparse';

import { csvRow } from './csv.js';

describe('csvRow', () => {
  it.each([
    ['a line feed alone', 'A\n=1+1', '"A\n=1+1"\r\n'],
    ['a carriage return alone', 'A\r=1+1', '"A\r=1+1"\r\n'],
    ['a formula', '=1+1', `"'=1+1"\r\n`],
    ['a formula after spaces', '  =1+1', `"'  =1+1"\r\n`],
    ['a formula after a line feed', '\n=1+1', `"'\n=1+1"\r\n`],
    ['full-width signs', '＝1', `"'＝1"\r\n`],
    ['a negative number', -1.5, '-1.5\r\n'],
    ['quotes and commas', 'a "b", c', '"a ""b"", c"\r\n'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z\r\n'],
    ['an object', { a: 1 }, '"{""a"":1}"\r\n'],
    ['nothing', null, '\r\n'],
  ])('writes %s', (_name, value, row) => {
    expect(csvRow([value])).toBe(row);
  });

  it('keeps each row a row, whose cells begin no formula', () => {
    const hostile = fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠\t\r\n",; a1'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.array(hostile, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
        const { data } = Papa.parse<string[]>(rows.map(csvRow).join('').slice(0, -2), {
          newline: '\r\n',
          delimiter: ',',
        });
        expect(data.map((row) => row.length)).toEqual(rows.map((row) => row.length));
        data.forEach((row, at) =>
          row.forEach((text, column) => {
            expect(text.replace(/^'/, '')).toBe(rows[at]?.[column]);
            expect(text).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
          }),
        );
      }),
    );
  });
});

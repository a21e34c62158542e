import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The rows of a table of docs/tax.md by the names of its columns; an empty cell of the first two repeats the one above. */
export function tableOf(name: string): Record<string, string>[] {
  const page = readFileSync(join(process.cwd(), 'docs/tax.md'), 'utf8');
  const [, after = ''] = page.split(`<!-- ${name} -->\n`);
  const [head = '', , ...rows] = (after.split('\n\n')[0] ?? '').trim().split('\n').map(cellsOf);
  return rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [head[index] ?? '', cell])));
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

/** The taxes of a document, as the tables write them: `S 19 %: 100.00 + 19.00`, `S 20 % FR: 100.00 + 20.00`. */
export function taxesText({ taxes }: { readonly taxes: readonly any[] }): string {
  return taxes
    .map(({ category, rate, country, net, tax }) => {
      const percent = String(Number((rate * 100).toPrecision(12)));
      const abroad = ['S', 'Z'].includes(category) && country !== 'DE' ? ` ${String(country)}` : '';
      return `${String(category)} ${percent} %${abroad}: ${net.toFixed(2)} + ${tax.toFixed(2)}`;
    })
    .join('; ');
}

/** Checks that header, lines, taxes and payment of a document agree to the cent. */
export function expectSums({ content, gross }: any, paid: number): void {
  const cents = (amounts: readonly number[]): number =>
    amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0);
  const { lines, taxes, totals, credit_applied, paid: card } = content;
  for (const field of ['net', 'tax', 'gross'] as const) {
    const total = cents([totals[field]]);
    expect(cents(lines.map((line: any) => line[field]))).toBe(total);
    expect(cents(taxes.map((one: any) => one[field]))).toBe(total);
  }
  expect(cents([gross])).toBe(cents([paid]));
  expect(cents([totals.gross])).toBe(cents([paid]));
  expect(cents([card, credit_applied])).toBe(cents([paid]));
}

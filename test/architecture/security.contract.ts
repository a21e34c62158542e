import { existsSync, readFileSync } from 'node:fs';

const text = readFileSync('docs/security.md', 'utf8');

/** The rows of the tables by attacker: the attack, the defence, and its tests. */
const rows = text
  .slice(text.indexOf('## By attacker'))
  .split('\n')
  .filter((line) => /^\| (?!Attack|Mistake)/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

/** The tests in a cell: a file, then the titles of some of its tests. */
function testsIn(cell: string): [file: string, name: string][] {
  return [...cell.matchAll(/`([\w./-]+\.ts)`: ((?:"[^"]+"(?:, )?)+)/g)].flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']): [string, string] => [file, name]),
  );
}

const named = rows.flatMap(([, , cell = '']) => testsIn(cell));

describe('docs/security.md', () => {
  it('names a test for each attack, except those that only CI can see', () => {
    const without = rows.filter(([, , cell = '']) => testsIn(cell).length === 0);
    expect(rows.length).toBeGreaterThan(30);
    expect(without.map(([attack]) => attack)).toEqual([
      'A package with a hole or a licence that does not fit',
    ]);
  });

  it.each(named)('%s has the test "%s"', (file, name) => {
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8').replaceAll("\\'", "'")).toContain(name);
  });
});

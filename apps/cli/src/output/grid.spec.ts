import { grid } from './grid.js';

const HEADS = ['id', { head: 'amount', align: 'right' }, 'note'] as const;
const ID = '6b0218c3b28b1deac5fbb9df';

describe('a grid', () => {
  it('has aligned columns and no borders', () => {
    expect(
      grid(HEADS, [
        ['a', 9.5, 'first'],
        ['b', 10, null],
      ]),
    ).toEqual(['id  amount  note', 'a      9.5  first', 'b       10']);
  });

  it('folds the widest column when the terminal has no room', () => {
    const note = '1000.00 EUR per year: 166.67 EUR by its end less 83.33 EUR before it';
    const lines = grid(HEADS, [[ID, 83.34, note]], 70);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(70);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines[1]).toContain(ID);
    expect(lines.slice(1).join(' ').replace(/\s+/g, ' ')).toBe(`${ID} 83.34 ${note}`);
  });

  it('folds nothing when a program reads it', () => {
    expect(grid(['note'], [['x'.repeat(500)]], Infinity)[1]).toHaveLength(500);
  });
});

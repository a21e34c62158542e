import { RoundRobin } from './round-robin.js';

function filled(...items: readonly string[]): RoundRobin<string> {
  const waiting = new RoundRobin<string>();
  for (const item of items) waiting.add(item.slice(0, 1), item);
  return waiting;
}

function takeAll(waiting: RoundRobin<string>): string[] {
  const taken: string[] = [];
  for (let item = waiting.next(); item !== undefined; item = waiting.next()) taken.push(item);
  return taken;
}

describe('Items of several tenants', () => {
  it('are taken in turns, those of one tenant in their order', () => {
    const waiting = filled('a1', 'a2', 'a3', 'b1', 'c1', 'b2');
    expect(takeAll(waiting)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(waiting.size).toBe(0);
  });

  it('can be removed wherever they stand', () => {
    const waiting = filled('a1', 'a2', 'b1', 'b2', 'c1');
    expect(waiting.removeIf((item) => item.endsWith('1'))).toEqual(['a1', 'b1', 'c1']);
    expect(waiting.size).toBe(2);
    expect(waiting.countOf('a')).toBe(1);
    expect(waiting.countOf('c')).toBe(0);
    expect(takeAll(waiting)).toEqual(['a2', 'b2']);
  });
});

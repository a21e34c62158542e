import { Types } from 'mongoose';
import { randomId } from '@commerce/records';

import { companyRanges, type CompanySize } from './company-ranges.js';

const idOf = (hex: string) => new Types.ObjectId(hex.padEnd(24, '0'));
const cuts = (shards: string[], companies: CompanySize[] = []) =>
  companyRanges(shards, companies).map(
    ({ from, shard }) => `${shard} ${from?.toHexString().slice(0, 4) ?? ''}`,
  );

/** How many of these documents lie in each range. */
function shares(shards: readonly string[], companies: readonly CompanySize[]): number[] {
  const ranges = companyRanges(shards, companies);
  return ranges.map(({ from }, index) => {
    const end = ranges[index + 1]?.from?.toHexString() ?? 'g';
    return companies
      .filter(
        ({ company }) => company.toHexString() >= (from?.toHexString() ?? '') && company.toHexString() < end,
      )
      .reduce((sum, { documents }) => sum + documents, 0);
  });
}

describe('The ranges of companies', () => {
  it('are equal where there is no company yet', () => {
    expect(cuts(['a'])).toEqual(['a ']);
    expect(cuts(['a', 'b'])).toEqual(['a ', 'b 8000']);
    expect(cuts(['a', 'b', 'c', 'd'])).toEqual(['a ', 'b 4000', 'c 8000', 'd c000']);
  });

  it('hold about equally many documents', () => {
    const companies = Array.from({ length: 300 }, () => ({ company: randomId(), documents: 1000 }));
    for (const share of shares(['a', 'b', 'c'], companies)) expect(share / 100_000).toBeCloseTo(1, 0);
  });

  it('divide companies whose ids are close together, as those of earlier versions', () => {
    const companies = Array.from({ length: 100 }, (_, index) => ({
      company: idOf(`67${index.toString(16).padStart(4, '0')}`),
      documents: 10_000,
    }));
    for (const share of shares(['a', 'b'], companies)) expect(share).toBeGreaterThan(400_000);
  });

  it('give a company that outweighs all others a range of its own', () => {
    const large = { company: idOf('81'), documents: 10_000_000 };
    const small = ['1', '5', 'c'].map((hex) => ({ company: idOf(hex), documents: 1000 }));
    expect(shares(['a', 'b', 'c'], [large, ...small])).toContain(10_000_000);
  });

  it('are different ones, even for more shards than companies', () => {
    const shards = Array.from({ length: 12 }, (_, index) => `s${String(index)}`);
    const ranges = companyRanges(shards, [{ company: idOf('ff'), documents: 5 }]);
    const froms = ranges.map(({ from }) => from?.toHexString() ?? '');
    expect(froms).toEqual([...new Set(froms)].sort());
    expect(ranges.map(({ shard }) => shard)).toEqual(shards);
  });
});

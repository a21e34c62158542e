import { percentOf, shareOf } from '../../apps/console/src/app/percent.js';

describe('A percentage', () => {
  it('becomes the fraction that its digits state, and back, at every hundredth', () => {
    const wrong = Array.from({ length: 10_001 }, (_, index) => index).filter((index) => {
      const percent = String(index / 100);
      const share = shareOf(percent);
      return share !== index / 10_000 || percentOf(share) !== percent;
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    [0.07, '7'],
    [0.077, '7.7'],
    [1e-7, '0.00001'],
    [0.1234567890123, '12.34567890123'],
    [0, '0'],
    [1, '100'],
  ])('of %d is %s', (share, percent) => {
    expect(percentOf(share)).toBe(percent);
    expect(shareOf(percent)).toBe(share);
  });

  it.each([
    ['.5', 0.005],
    ['5.', 0.05],
    ['1e1', 0.1],
    ['-3', -0.03],
    ['250', 2.5],
    ['', null],
    ['much', null],
  ])('typed as "%s" means %p', (typed, share) => {
    expect(shareOf(typed)).toBe(share);
  });
});

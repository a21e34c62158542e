import { isFault } from '@commerce/kernel';
import { parseQuery, type RawQuery } from '@commerce/records';

import { MAX_VARIANT_WIDTH, VARIANT_WIDTHS, variantWidth } from './image-width.js';
import { ImageContentQuery } from './images.dto.js';

function refused(query: RawQuery): string[] {
  try {
    parseQuery(ImageContentQuery, query);
    return [];
  } catch (error) {
    if (!isFault(error, 'value.invalid')) throw error;
    return (error.details.errors ?? []).map(({ path, code }) => `${path} ${code}`);
  }
}

describe('the requested width', () => {
  it('is rounded up to the width of a variant', () => {
    for (const [asked, given] of [
      ['1', 64],
      ['64', 64],
      ['65', 128],
      ['700', 768],
      ['1537', 2048],
      ['2048', 2048],
    ] as const) {
      expect(variantWidth(parseQuery(ImageContentQuery, { width: asked }).width ?? 0)).toBe(given);
    }
    expect(parseQuery(ImageContentQuery, {}).width).toBeNull();
  });

  it('is one of few', () => {
    expect(VARIANT_WIDTHS.length).toBeLessThanOrEqual(12);
    expect(VARIANT_WIDTHS.at(-1)).toBe(MAX_VARIANT_WIDTH);
    expect([...VARIANT_WIDTHS].sort((a, b) => a - b)).toEqual(VARIANT_WIDTHS);
  });

  it.each(['', '0', '-1', '2049', '99999', '1.5', '1e2', '0x40', ' 64', ['64', '128'], { $gt: '1' }])(
    'is not %j',
    (width) => {
      expect(refused({ width })).toEqual(['width value.invalid']);
    },
  );

  it('excludes other parameters', () => {
    expect(refused({ w: '64', height: '1', width: 'x' })).toEqual([
      'w field.unknown',
      'height field.unknown',
      'width value.invalid',
    ]);
  });
});

import { idAt } from '@commerce/records';

import { past, within } from '../../reading/list-order.js';
import { reaches, spreadOf, upTo } from './list-windows.js';

const RISING = { field: 'name', direction: 1 } as const;
const FALLING = { field: 'name', direction: -1 } as const;

describe('The windows of a page', () => {
  it('reach ever farther from a text, to all that begin like it', () => {
    const texts = reaches(RISING, 'mug 12', null) as string[];
    expect(texts.map((text) => [...text].slice(0, -1).join(''))).toEqual(['mug 1', 'mug ', 'mug', 'm']);
    for (const text of texts) expect('mug 13' < text).toBe(true);
    expect(reaches(FALLING, 'mug 12', null)).toEqual(['mug 1', 'mug ', 'mug', 'm']);
    expect(reaches(RISING, 'm', null)).toEqual([]);
  });

  it('begin at about a page of numbers or dates', () => {
    expect(reaches(RISING, 10, 5)).toEqual([20, 310, 10_010]);
    expect(reaches(FALLING, 10, 0)).toEqual([8, -50, -1990]);
    expect(reaches(FALLING, new Date(1_000_000), 10)).toEqual(
      [999_980, 999_400, 980_000].map((ms) => new Date(ms)),
    );
    expect(reaches(RISING, new Date(8.64e15), null)).toEqual(Array(3).fill(new Date(8.64e15)));
  });

  it('reach from an id to those of an earlier or a later time', () => {
    const ids = reaches(FALLING, idAt(new Date(100_000_000)), 10_000);
    expect(ids).toEqual([99_980_000, 99_400_000, 80_000_000].map((ms) => idAt(new Date(ms))));
    expect(reaches(FALLING, idAt(new Date(0)), null)).toEqual(Array(3).fill(idAt(new Date(0))));
    expect(reaches(RISING, idAt(new Date(0xffff_ffff * 1000)), null)).toEqual(
      Array(3).fill(idAt(new Date(0xffff_ffff * 1000))),
    );
    expect(spreadOf(idAt(new Date(5000)), idAt(new Date(2000)))).toBe(3000);
  });

  it('stay within the range that the list asks for', () => {
    const asked = { $gte: new Date(5), $lt: new Date(50) };
    expect(within(asked, upTo(FALLING, new Date(1)))).toEqual(asked);
    expect(within(asked, upTo(FALLING, new Date(9)))).toEqual({ $gte: new Date(9), $lt: new Date(50) });
    expect(within(asked, past(FALLING, new Date(20)))).toEqual({ $gte: new Date(5), $lt: new Date(20) });
    expect(within(asked, past(RISING, new Date(20)))).toEqual({ ...asked, $gt: new Date(20) });
  });

  it('learn from dates and numbers only', () => {
    expect(spreadOf(new Date(5), new Date(2))).toBe(3);
    expect(spreadOf(1, 4)).toBe(3);
    expect(spreadOf('a', 'b')).toBeNull();
    expect(spreadOf(new Date(5), null)).toBeNull();
    expect(spreadOf(undefined, undefined)).toBeNull();
  });
});

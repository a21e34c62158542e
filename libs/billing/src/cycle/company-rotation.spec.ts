import { newId } from '@commerce/records';

import { CompanyRotation } from './company-rotation.js';

describe('CompanyRotation', () => {
  it('serves each company once before any is served again', () => {
    const companies = Array.from({ length: 5 }, () => newId());
    const rotation = new CompanyRotation(2);
    const served = [1, 2, 3].flatMap(() => rotation.next(companies));
    expect(new Set(served.slice(0, 5)).size).toBe(5);
    expect(served[5]).toBe(served[0]);
  });

  it('continues after the last served company has disappeared', () => {
    const rotation = new CompanyRotation(1);
    const [a, b, c] = [newId(), newId(), newId()];
    expect(rotation.next([a, b])).toEqual([a]);
    expect(rotation.next([b, c])).toEqual([b]);
    expect(rotation.next([])).toEqual([]);
  });
});

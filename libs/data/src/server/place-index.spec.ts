import { placeAlone, refusesCompoundPlaces } from './place-index.js';

describe('An index of places', () => {
  it('is made without other fields where the server refuses those', () => {
    const error = new Error('Compound Regular & 2dsphere indexes are not supported yet');
    expect(refusesCompoundPlaces(error)).toBe(true);
    expect(refusesCompoundPlaces(new Error('the index is not supported'))).toBe(false);
    const declared = { key: { company: 1, at: '2dsphere' }, name: 'company_1_at_2dsphere' } as const;
    expect(placeAlone({ ...declared, '2dsphereIndexVersion': 3 })).toEqual({
      key: { at: '2dsphere' },
      '2dsphereIndexVersion': 3,
    });
  });

  it('is the only one that this changes', () => {
    const plain = { key: { company: 1, name: 1 }, name: 'company_1_name_1', unique: true } as const;
    expect(placeAlone(plain)).toEqual(plain);
  });
});

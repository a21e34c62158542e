import { NEWEST, OLDEST, bodyFrom, resolveVersion, shapeFor } from './versions.js';

const ID = 'a'.repeat(24);
const product = { _cls: 'Product', name: 'Tea', image: { _id: { $oid: ID }, url: `/images/${ID}/content` } };

describe('Versions of the interface', () => {
  it('are the newest change at or before the date asked for', () => {
    expect(resolveVersion(undefined, '2026-01-01')).toBe(NEWEST);
    expect(resolveVersion('2019-09-17', '2026-01-01')).toBe('2019-09-02');
    expect(resolveVersion('2019-09-18', '2026-01-01')).toBe('2019-09-18');
    expect(resolveVersion(OLDEST, '2026-01-01')).toBe(OLDEST);
    expect(() => resolveVersion('2019-01-31', '2026-01-01')).toThrow('X-Service-Version');
    expect(() => resolveVersion('2026-01-02', '2026-01-01')).toThrow('X-Service-Version');
  });

  it('show the image of one product as an address, an id, an object', () => {
    expect(shapeFor('2019-09-01')(product)).toEqual({
      _cls: 'Product',
      name: 'Tea',
      image_url: `/images/${ID}/content`,
    });
    expect(shapeFor('2019-09-10')([product])).toEqual([{ ...product, image: { $oid: ID } }]);
    expect(shapeFor('2019-09-18')(product)).toEqual(product);
  });

  it('leave alone what carries no image', () => {
    const user = { _cls: 'User', metadata: { image: { _id: 1 } } };
    expect(shapeFor(OLDEST)(user)).toEqual(user);
  });

  it('read the bodies of older versions', () => {
    expect(
      bodyFrom('2019-08-15', { name: 'Tea', image_url: `https://shop.example/images/${ID}/content` }),
    ).toEqual({
      name: 'Tea',
      image: ID,
    });
    expect(bodyFrom('2019-09-10', { image: ID })).toEqual({ image: ID });
  });
});

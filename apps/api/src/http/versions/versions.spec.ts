import { NEWEST, OLDEST, bodyFrom, errorsFrom, resolveVersion, shapeFor } from './versions.js';

const ID = 'a'.repeat(24);
const PATH = `/images/${ID}/content`;
const PUBLIC_URL = 'https://shop.example';
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

  it('leave objects without images unchanged', () => {
    const user = { _cls: 'User', metadata: { image: { _id: 1 } } };
    expect(shapeFor(OLDEST)(user)).toEqual(user);
  });

  it('read the bodies of older versions', () => {
    for (const image_url of [PATH, `/images/${ID}`, `${PUBLIC_URL}${PATH}`])
      expect(bodyFrom('2019-08-15', { name: 'Tea', image_url }, PUBLIC_URL)).toEqual({
        name: 'Tea',
        image: ID,
      });
    expect(bodyFrom('2019-09-10', { image: ID }, PUBLIC_URL)).toEqual({ image: ID });
    expect(bodyFrom(OLDEST, { image_url: null }, PUBLIC_URL)).toEqual({ image: null });
  });

  it.each([
    `https://elsewhere.example${PATH}`,
    `${PUBLIC_URL}.elsewhere.example${PATH}`,
    `/elsewhere${PATH}`,
    `${PUBLIC_URL}/${PATH}`,
    ID,
    '',
  ])('take %s for no image of this service', (image_url) => {
    expect(bodyFrom(OLDEST, { image_url }, PUBLIC_URL)).toEqual({ image: '' });
  });

  it('name an invalid field as the caller sent it', () => {
    const error = { path: 'image', code: 'image.unknown', message: 'image is not the id of an image' };
    const named = { path: 'image_url', code: 'image.unknown', message: expect.stringContaining('image_url') };
    expect(errorsFrom(OLDEST, [error], { image_url: PATH })).toEqual([named]);
    const sent = [{ image: ID }, { image_url: PATH }];
    const errors = [0, 1].map((at) => ({ ...error, path: `${String(at)}.image` }));
    expect(errorsFrom(OLDEST, errors, sent)).toEqual([errors[0], { ...named, path: '1.image_url' }]);
    expect(errorsFrom(OLDEST, [error], { image: ID })).toEqual([error]);
    expect(errorsFrom(NEWEST, [error], { image_url: PATH })).toEqual([error]);
  });
});

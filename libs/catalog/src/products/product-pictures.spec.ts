import { isFault } from '@commerce/kernel';
import { makeRecord, newId } from '@commerce/records';

import { ImageRecord } from '../images/image.record.js';
import { imagesIn, picturesOf } from './product-pictures.js';

const photo = makeRecord(
  ImageRecord,
  { company: newId(), url: '/images/1/content', name: 'photo.png', width: 3, height: 2, size: 70 },
  new Date(0),
);
const known = new Map([[photo._id.toHexString(), photo]]);
const given = { kind: 'image' as const, url: '/a.png', name: null, human_id: null, image: null };
const byImage = { kind: null, url: null, name: null, human_id: null, image: photo._id };

function refused(body: Parameters<typeof picturesOf>[0]): string[] {
  try {
    picturesOf(body, known);
    return [];
  } catch (error) {
    if (!isFault(error)) throw error;
    return (error.details.errors ?? []).map(({ path, code }) => `${path} ${code}`);
  }
}

describe('the image of a product', () => {
  it('is stored with its display properties', () => {
    expect(picturesOf({ image: photo._id }, known).image).toEqual({
      _id: photo._id,
      url: '/images/1/content',
      name: 'photo.png',
      content_type: null,
      width: 3,
      height: 2,
      size: 70,
    });
  });

  it('can be removed, or left unchanged', () => {
    expect(picturesOf({ image: null }, known)).toEqual({ image: null });
    expect(picturesOf({}, known)).toEqual({});
  });
});

describe('media', () => {
  it('get a short id when they have none', () => {
    const [made, kept] = picturesOf({ media: [given, { ...given, human_id: 'ABC234' }] }, known).media ?? [];
    expect(made?.human_id).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
    expect(kept?.human_id).toBe('ABC234');
    expect(Object.keys(made ?? {})).toEqual(['kind', 'url', 'name', 'human_id']);
  });

  it('can be made from an image and have the same shape', () => {
    const { media = [] } = picturesOf({ media: [byImage, { ...byImage, name: 'front' }] }, known);
    expect(media).toEqual(
      ['photo.png', 'front'].map((name) => ({
        kind: 'image',
        url: '/images/1/content',
        name,
        human_id: expect.stringMatching(/^[2-9A-HJKMNP-Z]{6}$/),
      })),
    );
  });

  it('need kind and url, or an image', () => {
    expect(refused({ media: [given, { ...given, kind: null, url: null }] })).toEqual([
      'media.1.kind value.invalid',
      'media.1.url value.invalid',
    ]);
    expect(refused({ media: [{ ...byImage, url: '/a.png' }] })).toEqual(['media.0.url value.invalid']);
  });

  it('and the image must all reference existing images', () => {
    const unknown = newId();
    const body = { image: unknown, media: [given, { ...byImage, image: unknown }, byImage] };
    expect(imagesIn(body)).toEqual([unknown, unknown, photo._id]);
    expect(refused(body)).toEqual(['image image.unknown', 'media.1.image image.unknown']);
  });
});

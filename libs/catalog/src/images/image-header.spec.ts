import fc from 'fast-check';

import { readImageHeader } from './image-header.js';
import { SAMPLE_IMAGES } from './images.spec-data.js';

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const u32 = (value: number): Buffer => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);
const text = (value: string): Buffer => Buffer.from(value, 'latin1');

/** A box of the ISO base media format; `versioned` ones have a version and flags before their content. */
function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(content.length + 8), text(type), content]);
}
const versioned = (type: string, version: number, flags: number, ...parts: readonly Buffer[]): Buffer =>
  box(type, u32(version * 2 ** 24 + flags), ...parts);

const ispe = (width: number, height: number): Buffer => versioned('ispe', 0, 0, u32(width), u32(height));
const brand = (...names: readonly string[]): Buffer =>
  box('ftyp', text(names[0] ?? ''), u32(0), ...names.slice(1).map(text));

describe('the header of an image', () => {
  it.each(SAMPLE_IMAGES.map((sample) => [sample.what, sample] as const))('%s', (_, sample) => {
    const { content_type, width, height } = sample;
    expect(readImageHeader(sample.bytes)).toEqual({ content_type, width, height });
  });

  it.each(SAMPLE_IMAGES.map((sample) => [sample.what, sample] as const))(
    '%s, cut anywhere, is the same or nothing, and never another',
    (_, { bytes, content_type, width, height }) => {
      let told = 0;
      for (let length = 0; length < bytes.length; length += 1) {
        const header = readImageHeader(bytes.subarray(0, length));
        if (header === null) expect([length, told]).toEqual([length, 0]);
        else {
          told += 1;
          expect(header).toEqual({ content_type, width, height });
        }
      }
    },
  );

  it.each([
    ['nothing', ''],
    ['text', 'an image, I promise'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'],
    ['a bitmap of another kind', 'BM\x1e\0\0\0\0\0\0\0\x1a\0\0\0\x0c\0\0\0\x01\0\x01\0\x01\0\x18\0'],
    ['a PNG without its size', '\x89PNG\r\n\x1a\n\0\0\0\x0dIDAT\0\0\0\x01\0\0\0\x01'],
    ['a PNG of no width', '\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\0\0\0\0\x01'],
    ['a GIF of no height', 'GIF89a\x01\0\0\0'],
    ['another RIFF file', 'RIFF\0\0\0\0WAVEfmt \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'],
    ['a JPEG that ends before its frame', '\xff\xd8\xff\xe0\0\x04\0\0\xff\xda\0\x02'],
    ['a JPEG whose segments have no length', '\xff\xd8\xff\xe0\0\0\xff\xe0\0\0\xff'],
  ])('is not found in %s', (_, content) => {
    expect(readImageHeader(text(content))).toBeNull();
  });

  it('skips what stands between the segments of a JPEG', () => {
    const frame = '\xff\xc2\0\x0b\x08\0\x03\0\x11\x01\0\0\0';
    for (const before of ['', '\xff\xff\xff', '\xff\xc4\0\x03\0', '\xff\x01', '\xff\xe1\0\x05\xff\xc0\0']) {
      expect(readImageHeader(text(`\xff\xd8\xff\xe0\0\x02${before}${frame}`))).toEqual({
        content_type: 'image/jpeg',
        width: 17,
        height: 3,
      });
    }
  });

  it('never fails, whatever bytes follow a signature', () => {
    const starts = SAMPLE_IMAGES.map(({ bytes }) => bytes.subarray(0, 24));
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }), (start, rest) => {
        const header = readImageHeader(Buffer.concat([start, rest]));
        if (header !== null) {
          expect(header.width).toBeGreaterThan(0);
          expect(header.height).toBeGreaterThan(0);
        }
      }),
    );
  });
});

describe('the header of an AVIF with several pictures', () => {
  const properties = box('ipco', ispe(1, 2), box('pixi'), ispe(640, 480), ispe(3, 4));
  const read = (...metaParts: readonly Buffer[]): ReturnType<typeof readImageHeader> =>
    readImageHeader(Buffer.concat([brand('avif'), versioned('meta', 0, 0, ...metaParts), box('mdat')]));

  it('is that of the primary one', () => {
    const links = versioned('ipma', 0, 0, u32(2), u16(7), text('\x01\x01'), u16(9), text('\x02\x82\x83'));
    expect(read(box('hdlr'), versioned('pitm', 0, 0, u16(9)), box('iprp', properties, links))).toEqual({
      content_type: 'image/avif',
      width: 640,
      height: 480,
    });
  });

  it('is found by long ids and long links too, in any order', () => {
    const links = versioned('ipma', 1, 1, u32(1), u32(70_000), text('\x01'), u16(0x8000 + 4));
    expect(read(box('iprp', links, properties), versioned('pitm', 1, 0, u32(70_000)))).toMatchObject({
      width: 3,
      height: 4,
    });
  });

  it('is not found when nothing links to a size', () => {
    const links = versioned('ipma', 0, 0, u32(1), u16(7), text('\x01\x02'));
    expect(read(versioned('pitm', 0, 0, u16(7)), box('iprp', properties, links))).toBeNull();
    expect(read(versioned('pitm', 0, 0, u16(8)), box('iprp', properties, links))).toBeNull();
    expect(read()).toBeNull();
  });

  it('goes by the brands, of which the minor version is none', () => {
    const links = versioned('ipma', 0, 0, u32(1), u16(1), text('\x01\x03'));
    const meta = versioned('meta', 0, 0, versioned('pitm', 0, 0, u16(1)), box('iprp', properties, links));
    const typed = (start: Buffer): string | undefined =>
      readImageHeader(Buffer.concat([start, meta]))?.content_type;
    expect(typed(brand('mif1', 'miaf', 'avif'))).toBe('image/avif');
    expect(typed(brand('avis', 'msf1'))).toBe('image/avif');
    expect(typed(brand('heic', 'mif1'))).toBeUndefined();
    expect(typed(box('ftyp', text('heic'), text('avif')))).toBeUndefined();
  });

  it('bears boxes with sizes of eight bytes and sizes that lie', () => {
    const long = Buffer.concat([u32(1), text('free'), u32(0), u32(20), u32(0)]);
    const links = versioned('ipma', 0, 0, u32(1), u16(1), text('\x01\x03'));
    const meta = versioned('meta', 0, 0, versioned('pitm', 0, 0, u16(1)), box('iprp', properties, links));
    expect(readImageHeader(Buffer.concat([brand('avif'), long, meta]))).toMatchObject({ width: 640 });
    for (const size of [2, 7, 0xffffffff]) {
      const lying = Buffer.concat([u32(size), text('free')]);
      expect(readImageHeader(Buffer.concat([brand('avif'), lying, meta]))).toBeNull();
    }
  });
});

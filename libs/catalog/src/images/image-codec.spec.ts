import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

import { isFault } from '@commerce/kernel';
import fc from 'fast-check';
import sharp, { type Metadata, type Sharp } from 'sharp';

import { hasTooManyBoxes } from './avif-boxes.js';
import { IMAGE_TYPES, ImageCodec, MAX_IMAGE_PIXELS, type ImageType } from './image-codec.js';
import { SAMPLE_IMAGES, corrupted, noise, sampleOf } from './images.spec-data.js';

const codec = new ImageCodec();
const OWNER = { company: 'a' };

/** The properties of an image, or the code and path of the fault that refuses it. */
async function inspected(bytes: Buffer): Promise<unknown> {
  try {
    return await codec.inspect(OWNER, () => Promise.resolve(bytes));
  } catch (error) {
    if (!isFault(error)) throw error;
    return [error.code, error.details.errors?.[0]?.path];
  }
}

const UNSUPPORTED = ['image.unsupported', 'file'];
const TOO_LARGE = ['image.too_large', 'file'];
const text = (value: string): Buffer => Buffer.from(value, 'latin1');

describe('an image', () => {
  it.each(SAMPLE_IMAGES.map((sample) => [sample.what, sample] as const))('may be %s', async (_, sample) => {
    const { content_type, width, height } = sample;
    expect(await inspected(sample.bytes)).toMatchObject({ content_type, width, height });
  });

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
  ])('is not %s', async (_, content) => {
    expect(await inspected(text(content))).toEqual(UNSUPPORTED);
  });

  it('is not one in a format that sharp could read', async () => {
    expect(await inspected(await noise(30, 20).tiff().toBuffer())).toEqual(UNSUPPORTED);
  });

  it('is not an AVIF of a million tiny boxes, which is refused without being read', async () => {
    const whole = await sampleOf('image/avif', 64, 48);
    const type = whole.readUInt32BE(0);
    const empty = Buffer.from('\0\0\0\x08free', 'latin1');
    const craft = (boxes: number): Buffer =>
      Buffer.concat([whole.subarray(0, type), Buffer.alloc(boxes * 8, empty), whole.subarray(type)]);
    expect(hasTooManyBoxes(whole)).toBe(false);
    expect(hasTooManyBoxes(craft(50))).toBe(false);
    expect(hasTooManyBoxes(craft(1_300_000))).toBe(true);
    expect(await inspected(craft(1_300_000))).toEqual(UNSUPPORTED);
  });

  it('has the size of one frame when it is animated', async () => {
    const frames = await Promise.all([1, 2, 3].map(() => noise(40, 30).png().toBuffer()));
    const animation = sharp(frames, { join: { animated: true } });
    for (const type of ['gif', 'webp'] as const) {
      const bytes = await animation.clone().toFormat(type).toBuffer();
      expect((await sharp(bytes).metadata()).pages).toBe(3);
      expect(await inspected(bytes)).toMatchObject({ width: 40, height: 30 });
    }
  });

  it('has its stored size, and reports a rotation by a quarter', async () => {
    for (const [orientation, quarter_turned] of [
      [1, false],
      [3, false],
      [6, true],
      [8, true],
    ] as const) {
      const bytes = await noise(40, 30).withMetadata({ orientation }).jpeg().toBuffer();
      expect(await inspected(bytes)).toMatchObject({ width: 40, height: 30, quarter_turned });
    }
  });

  it('may be a JPEG with a gain map, or with scan parameters that decoders warn about', async () => {
    const bytes = await noise(64, 48).jpeg().toBuffer();
    // sharp 0.35 has the method, its types do not.
    const withGainMap = (sharp(bytes) as Sharp & { withGainMap: () => Sharp }).withGainMap();
    const hdr = await withGainMap.jpeg().toBuffer();
    expect((await sharp(hdr).metadata()).width).toBe(64);
    expect(hdr.length).toBeGreaterThan(bytes.length);
    expect(await inspected(hdr)).toMatchObject({ content_type: 'image/jpeg', width: 64, height: 48 });

    const scan = bytes.indexOf(Buffer.from([0xff, 0xda]));
    const components = bytes[scan + 4] ?? 0;
    bytes[scan + 6 + 2 * components] = 0;
    await expect(sharp(bytes).raw().toBuffer()).rejects.toThrow('Invalid SOS parameters');
    expect(await inspected(bytes)).toMatchObject({ width: 64, height: 48 });
    expect(await inspected(bytes.subarray(0, bytes.length / 2))).toEqual(UNSUPPORTED);
  });

  it('is read or refused, with any bytes after a signature', async () => {
    const starts = SAMPLE_IMAGES.map(({ bytes }) => bytes.subarray(0, 24));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }), async (start, rest) => {
        const found = await inspected(Buffer.concat([start, rest]));
        if (Array.isArray(found)) expect([UNSUPPORTED, TOO_LARGE]).toContainEqual(found);
        else expect(found).toMatchObject({ width: expect.any(Number), height: expect.any(Number) });
      }),
    );
  });
});

describe.each(IMAGE_TYPES)('a damaged %s', (type) => {
  it.each([0.1, 0.5, 0.9])('is refused when only %d of it is present', async (part) => {
    const bytes = await sampleOf(type, 300, 200);
    expect(await inspected(bytes)).toMatchObject({ content_type: type, width: 300, height: 200 });
    expect(await inspected(bytes.subarray(0, Math.floor(bytes.length * part)))).toEqual(UNSUPPORTED);
  });

  it('is refused when its header is intact but its data are not', async () => {
    const bytes = corrupted(type, await sampleOf(type, 300, 200));
    expect((await sharp(bytes, { failOn: 'none' }).metadata()).width).toBe(300);
    expect(await inspected(bytes)).toEqual(UNSUPPORTED);
  });
});

describe('an image with too many pixels', () => {
  const plain = (width: number, height: number): Sharp =>
    sharp({ create: { width, height, channels: 3, background: '#123' } });

  it('is refused by its header, however small the file is', async () => {
    const most = await plain(10_000, MAX_IMAGE_PIXELS / 10_000)
      .png()
      .toBuffer();
    expect(await inspected(most)).toMatchObject({ width: 10_000 });
    const bomb = await plain(10_000, MAX_IMAGE_PIXELS / 10_000 + 1)
      .png()
      .toBuffer();
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect(await inspected(bomb)).toEqual(TOO_LARGE);
  });

  it('is refused when a few bytes declare billions', async () => {
    // Of one color: a palette of noise can contain the byte that begins the description of a frame.
    const gif = await plain(1, 1).gif().toBuffer();
    for (const at of [6, 8]) gif.writeUInt16LE(50_000, at);
    for (const at of [5, 7]) gif.writeUInt16LE(50_000, gif.indexOf(0x2c) + at);
    expect(await inspected(gif)).toEqual(TOO_LARGE);
    const jpeg = await noise(16, 16).jpeg().toBuffer();
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    for (const at of [5, 7]) jpeg.writeUInt16BE(50_000, frame + at);
    expect(await inspected(jpeg)).toEqual(TOO_LARGE);
  });
});

/** Files of 10 MiB that consist of boxes of 8 bytes: a million of them, wherever a reader looks for a box. */
function tinyBoxes(): Buffer[] {
  const u32 = (value: number): Buffer => Buffer.from([24, 16, 8, 0].map((bits) => (value >>> bits) & 0xff));
  const box = (type: string, content: Buffer): Buffer =>
    Buffer.concat([u32(content.length + 8), text(type), content]);
  const brand = box('ftyp', text('avif\0\0\0\0avifmif1'));
  const boxes = Buffer.alloc(10 * 1024 * 1024 - 100, box('free', Buffer.alloc(0)));
  const meta = (content: Buffer): Buffer => box('meta', Buffer.concat([u32(0), content]));
  return [boxes, meta(boxes), meta(box('iprp', box('ipco', boxes)))].map((rest) =>
    Buffer.concat([brand, rest]),
  );
}

describe('the event loop', () => {
  /** The longest time, in milliseconds, for which the event loop was blocked. */
  async function longestDelay(work: () => Promise<unknown>): Promise<number> {
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    await wait(20);
    await work();
    await wait(20);
    delays.disable();
    return delays.max / 1e6;
  }

  it('keeps running while a file of a million tiny boxes is read', async () => {
    for (const bytes of tinyBoxes()) {
      const measured: number[] = [];
      // A busy machine can halt any process for a while; it does not do so at the same point three times.
      for (let turn = 0; turn < 3; turn += 1) {
        measured.push(
          await longestDelay(async () => {
            expect(await inspected(bytes)).toEqual(UNSUPPORTED);
          }),
        );
      }
      expect(Math.min(...measured)).toBeLessThan(100);
    }
  });

  it('keeps running while a large image is decoded and reduced', async () => {
    const bytes = await sampleOf('image/jpeg', 4000, 3000);
    const measured: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      measured.push(
        await longestDelay(async () => {
          await codec.inspect(OWNER, () => Promise.resolve(bytes));
          await codec.resize(OWNER, async () => bytes, 'image/jpeg', 1024);
        }),
      );
    }
    expect(Math.min(...measured)).toBeLessThan(100);
  });
});

describe('many concurrent images', () => {
  it('are decoded two at a time', async () => {
    const bytes = await sampleOf('image/png', 800, 600);
    const decoding = (): number => sharp.counters().queue + sharp.counters().process;
    // Images abandoned by the cases before may still be in progress.
    while (decoding() > 0) await wait(5);
    let running = 0;
    let most = 0;
    const read = async (): Promise<Buffer> => {
      running += 1;
      most = Math.max(most, running);
      await wait(5);
      running -= 1;
      return bytes;
    };
    const all = Array.from({ length: 20 }, () => codec.resize(OWNER, read, 'image/png', 64));
    const busy = setInterval(() => {
      // Not the sum: an image that starts between the two reads would be counted twice.
      most = Math.max(most, sharp.counters().process);
    }, 1);
    await Promise.all(all);
    clearInterval(busy);
    expect(most).toBe(2);
  });

  it('are refused with a reason when too many wait', async () => {
    const { bytes } = SAMPLE_IMAGES[0]!;
    const all = await Promise.all(Array.from({ length: 110 }, () => inspected(bytes)));
    expect(all.filter((one) => !Array.isArray(one))).toHaveLength(102);
    expect(all.at(-1)).toEqual(['service.overloaded', undefined]);
    expect(await inspected(bytes)).toMatchObject({ width: 7 });
  });
});

describe('a variant', () => {
  const reduced = async (bytes: Buffer, type: ImageType, width: number): Promise<Metadata> =>
    sharp(await codec.resize(OWNER, async () => bytes, type, width)).metadata();

  it.each(IMAGE_TYPES)('of %s keeps the format and the proportions', async (type) => {
    const bytes = await sampleOf(type, 300, 200);
    expect(await reduced(bytes, type, 128)).toMatchObject({ mediaType: type, width: 128, height: 85 });
  });

  it('is never larger than the original', async () => {
    const bytes = await sampleOf('image/png', 30, 20);
    expect(await reduced(bytes, 'image/png', 64)).toMatchObject({ width: 30, height: 20 });
  });

  it('is upright and has no metadata', async () => {
    const bytes = await noise(400, 300)
      .withExif({ IFD0: { Copyright: 'Ada' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { exif, orientation, width, height } = await reduced(bytes, 'image/jpeg', 150);
    expect({ exif, orientation, width, height }).toEqual({ width: 150, height: 200 });
  });

  it('of an animation shows its first frame', async () => {
    const frames = await Promise.all([1, 2].map(() => noise(100, 80).png().toBuffer()));
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { pages, width, height } = await reduced(bytes, 'image/gif', 50);
    expect([pages ?? 1, width, height]).toEqual([1, 50, 40]);
  });

  it('keeps transparency', async () => {
    const bytes = await sharp({ create: { width: 200, height: 100, channels: 4, background: '#0000' } })
      .png()
      .toBuffer();
    expect(await reduced(bytes, 'image/png', 64)).toMatchObject({ hasAlpha: true });
  });

  it('of a very tall image is narrower than requested', async () => {
    const bytes = await sharp({ create: { width: 300, height: 30_000, channels: 3, background: '#123' } })
      .png()
      .toBuffer();
    expect(await reduced(bytes, 'image/png', 256)).toMatchObject({ width: 82, height: 8192 });
  });
});

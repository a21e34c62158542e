import sharp, { type Sharp } from 'sharp';

import type { ImageType } from './image-codec.js';

/** Small images as common encoders write them (libpng, libjpeg-turbo, giflib, libwebp, libaom through Pillow 13). */
export interface SampleImage {
  readonly what: string;
  readonly content_type: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

const sample = (
  what: string,
  content_type: string,
  width: number,
  height: number,
  base64: string,
): SampleImage => ({ what, content_type, width, height, bytes: Buffer.from(base64, 'base64') });

export const SAMPLE_IMAGES: readonly SampleImage[] = [
  sample(
    'PNG',
    'image/png',
    7,
    5,
    'iVBORw0KGgoAAAANSUhEUgAAAAcAAAAFCAIAAAAG+GGPAAAAJElEQVR4nGNkYGBQxUAsDNEMDAyMaAguyoSMkEWZ4QhNlAWC' +
      'AKs6Ao6yhZWOAAAAAElFTkSuQmCC',
  ),
  sample(
    'JPEG, baseline',
    'image/jpeg',
    9,
    4,
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L' +
      '2u71////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4' +
      '+Pj4+Pj4+Pj4+Pj4+Pj/wAARCAAEAAkDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAA' +
      'AgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6' +
      'Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXG' +
      'x8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREA' +
      'AgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5' +
      'OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPE' +
      'xcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCjHIPLb90nQ9jUfmD/AJ5J+RoorBCk3ZH/' +
      '2Q==',
  ),
  sample(
    'JPEG, progressive, with metadata that ask for a quarter turn',
    'image/jpeg',
    17,
    3,
    '/9j/4AAQSkZJRgABAQAAAQABAAD/4QD4RXhpZgAATU0AKgAAAAgAAgEOAAIAAADJAAAAJgESAAMAAAABAAYAAAAAAAB4eHh4' +
      'eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4' +
      'eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4' +
      'eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eAAA/9sAQwAoHB4jHhkoIyEjLSso' +
      'MDxkQTw3Nzx7WF1JZJGAmZaPgIyKoLTmw6Cq2q2KjMj/y9ru9f///5vB////+v/m/f/4/9sAQwErLS08NTx2QUF2+KWMpfj4' +
      '+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4/8IAEQgAAwARAwEiAAIRAQMRAf/EABUA' +
      'AQEAAAAAAAAAAAAAAAAAAAAB/8QAFgEBAQEAAAAAAAAAAAAAAAAAAQID/9oADAMBAAIQAxAAAAGDGYE//8QAFhABAQEAAAAA' +
      'AAAAAAAAAAAAAREA/9oACAEBAAEFAgJCQ3//xAAVEQEBAAAAAAAAAAAAAAAAAAAAEf/aAAgBAwEBPwGq/8QAFBEBAAAAAAAA' +
      'AAAAAAAAAAAAEP/aAAgBAgEBPwE//8QAFBABAAAAAAAAAAAAAAAAAAAAEP/aAAgBAQAGPwJ//8QAGBABAAMBAAAAAAAAAAAA' +
      'AAAAABEhUWH/2gAIAQEAAT8hlKZXJ//aAAwDAQACAAMAAAAQA8//xAAZEQADAAMAAAAAAAAAAAAAAAAAARExQVH/2gAIAQMB' +
      'AT8QTTOiun//xAAWEQADAAAAAAAAAAAAAAAAAAAAARH/2gAIAQIBAT8QrKz/xAAZEAADAAMAAAAAAAAAAAAAAAAAITEBQWH/' +
      '2gAIAQEAAT8QjMyPLo5z/9k=',
  ),
  sample(
    'GIF',
    'image/gif',
    11,
    6,
    'R0lGODdhCwAGAIAAAAAAAAAAACwAAAAACwAGAAAIHgABBBAwQCBBgwMLJjQ44ODChQodOmRIceBDiQMCAgA7',
  ),
  sample(
    'WebP, lossy',
    'image/webp',
    13,
    8,
    'UklGRkQAAABXRUJQVlA4IDgAAACwAQCdASoNAAgAB0CWJbACdAEOuwSAAP7AUd2R0DPib7HdoURnXWZuhg+ZXGcHMWhaYya0' +
      'NAAAAA==',
  ),
  sample(
    'WebP, lossless',
    'image/webp',
    12,
    5,
    'UklGRjQAAABXRUJQVlA4TCgAAAAvCwABELkyRPQ/dhHR/4BCthGgeZ6/ykswJRMgEEhh2zwBEO0CCZkf',
  ),
  sample(
    'WebP with transparency and metadata',
    'image/webp',
    19,
    6,
    'UklGRogBAABXRUJQVlA4WAoAAAAYAAAAEgAABQAAQUxQSBUAAAAJDzAoERGCSNtmbP4N7/AWIvqfTR4AVlA4IFQAAACwAwCd' +
      'ASoTAAYAP3Ggx1i0q6gjsAgCkC4JbACdMoADTcXQIdnegAD+cyd6LgerfPN9UzedmfDRyuahnSiWMrsS5APz/k/mp79rw/yV' +
      '6BjqM+SpAABFWElG8AAAAE1NACoAAAAIAAIBDgACAAAAyQAAACYBEgADAAAAAQAGAAAAAAAAeHh4eHh4eHh4eHh4eHh4eHh4' +
      'eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4' +
      'eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4' +
      'eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHgAAA==',
  ),
  sample(
    'AVIF',
    'image/avif',
    15,
    10,
    'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAA' +
      'AAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAALAAAAChpaW5mAAAAAAABAAAAGmluZmUC' +
      'AAAAAAEAAGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAADwAAAAoAAAAQcGl4aQAAAAADCAgIAAAA' +
      'DGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAANG1kYXQSAAoJGAz6WiAhoNCA' +
      'Mh0ex4eFWd///+LAgAB0z51psbRNHDG/bbDJcsVknA==',
  ),
  sample(
    'AVIF whose transparency is a picture of its own',
    'image/avif',
    21,
    14,
    'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAGGbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAA' +
      'AAAAAAAAAAAOcGl0bQAAAAAAAQAAACxpbG9jAAAAAEQAAAIAAQAAAAEAAAHRAAAAOAACAAAAAQAAAa4AAAAjAAAAQmlpbmYA' +
      'AAAAAAIAAAAaaW5mZQIAAAAAAQAAYXYwMUNvbG9yAAAAABppbmZlAgAAAAACAABhdjAxQWxwaGEAAAAAGmlyZWYAAAAAAAAA' +
      'DmF1eGwAAgABAAEAAADDaXBycAAAAJ1pcGNvAAAAFGlzcGUAAAAAAAAAFQAAAA4AAAAQcGl4aQAAAAADCAgIAAAADGF2MUOB' +
      'AAwAAAAAE2NvbHJuY2x4AAEADQAGgAAAAA5waXhpAAAAAAEIAAAADGF2MUOBABwAAAAAOGF1eEMAAAAAdXJuOm1wZWc6bXBl' +
      'Z0I6Y2ljcDpzeXN0ZW1zOmF1eGlsaWFyeTphbHBoYQAAAAAeaXBtYQAAAAAAAAACAAEEAQKDBAACBAEFhgcAAABjbWRhdBIA' +
      'CgUYEOmsKjIYHkD/8QC3VLKzqFBFj6kR9UT4Kye0MX6oEgAKCRgQ6a0QENBoQDIpHseHhVnf///iywAA1z2oN5nHHLMrwEul' +
      '8YssE6VzcHsne27lwOMKfKA=',
  ),
];

/** An image of random pixels, which no format compresses much. */
export function noise(width: number, height: number): Sharp {
  const pixels = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#888', noise: pixels } });
}

/** The file of a random image. */
export async function sampleOf(type: ImageType, width: number, height: number): Promise<Buffer> {
  const format = type.slice('image/'.length) as 'png' | 'jpeg' | 'webp' | 'gif' | 'avif';
  return noise(width, height).toFormat(format, { effort: 2 }).toBuffer();
}

/** The same file with an intact header, but damaged data. */
export function corrupted(type: ImageType, bytes: Buffer): Buffer {
  // WebP has no checksums: decoders notice only damage to the tables at the start of its data.
  const from = type === 'image/webp' ? 40 : Math.floor(bytes.length / 2);
  return Buffer.from(bytes).fill(0xff, from, from + 4000);
}

import type { FieldError } from '@commerce/kernel';
import { createBody, type Id } from '@commerce/platform';

import { ImageRecord } from './image.record.js';

/**
 * An image as products and resources carry it: the reference, and what there is to show with it. Images never
 * change, so this copy never gets old, and reading a list of products reads no images.
 */
export class ImageObject extends createBody(ImageRecord, [
  '_id',
  'url',
  'name',
  'content_type',
  'width',
  'height',
  'size',
]) {}

/** Images by the text of their ids. */
export type KnownImages = ReadonlyMap<string, ImageRecord>;

/** The image that a body names by its id. One that is not among the known ones is added to `errors`. */
export function imageNamed(
  id: Id | null,
  known: KnownImages,
  path: string,
  errors: FieldError[],
): ImageObject | null {
  if (id === null) return null;
  const image = known.get(id.toHexString());
  if (image === undefined) {
    errors.push({ path, code: 'image.unknown', message: `${path} is not the id of an image` });
    return null;
  }
  const { _id, url, name, content_type, width, height, size } = image;
  return { _id, url, name, content_type, width, height, size };
}

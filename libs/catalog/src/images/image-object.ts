import type { FieldError } from '@commerce/kernel';
import { createBody, type Id } from '@commerce/records';

import { ImageRecord } from './image.record.js';

/**
 * An image as products and resources embed it: its id and its display properties. Images never change and are not
 * deleted while in use, so the copy never goes stale, and a list of products is read without reading images.
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
export type ImagesById = ReadonlyMap<string, ImageRecord>;

/** The image that a body names by its id. An unknown one is reported in `errors`. */
export function embeddedImage(
  id: Id | null,
  images: ImagesById,
  path: string,
  errors: FieldError[],
): ImageObject | null {
  if (id === null) return null;
  const image = images.get(id.toHexString());
  if (image === undefined || image.deleted) {
    errors.push({ path, code: 'image.unknown', message: `${path} is not the id of an image` });
    return null;
  }
  const { _id, url, name, content_type, width, height, size } = image;
  return { _id, url, name, content_type, width, height, size };
}

import { Fault, type FieldError } from '@commerce/kernel';
import type { Id } from '@commerce/records';

import { embeddedImage, type ImagesById } from '../images/image-object.js';
import { mediumId, type Medium, type MediumBody } from './medium.js';
import type { ProductRecord } from './product.record.js';

/** The pictures of a product in a request body. */
interface PicturesBody {
  readonly image?: Id | null;
  readonly media?: readonly MediumBody[];
}

/** The images that a body names. */
export function imagesIn({ image, media = [] }: PicturesBody): Id[] {
  return [image, ...media.map((medium) => medium.image)].filter((id) => id !== null && id !== undefined);
}

/**
 * The pictures as the product stores them; omitted ones stay omitted. Media given as an image are made from it, and
 * those without a short id get one.
 * @throws Fault with one entry in `errors` for each invalid picture
 */
export function picturesOf(
  { image, media }: PicturesBody,
  images: ImagesById,
): Partial<Pick<ProductRecord, 'image' | 'media'>> {
  const errors: FieldError[] = [];
  const pictures: Partial<Pick<ProductRecord, 'image' | 'media'>> = {};
  if (image !== undefined) pictures.image = embeddedImage(image, images, 'image', errors);
  if (media !== undefined) {
    pictures.media = media.map((body, index) => mediumOf(body, `media.${String(index)}`, images, errors));
  }
  if (errors[0]) throw new Fault(errors[0].code, errors[0].message, { errors });
  return pictures;
}

function mediumOf(body: MediumBody, at: string, images: ImagesById, errors: FieldError[]): Medium {
  const bad = (field: string, reason: string): void => {
    const path = `${at}.${field}`;
    errors.push({ path, code: 'value.invalid', message: `${path} ${reason}` });
  };
  const image = embeddedImage(body.image, images, `${at}.image`, errors);
  if (body.image === null) {
    if (body.kind === null) bad('kind', 'is required unless image is given');
    if (body.url === null) bad('url', 'is required unless image is given');
  } else if (body.url !== null) {
    bad('url', 'cannot be combined with image');
  }
  return {
    kind: body.kind ?? 'image',
    url: image?.url ?? body.url ?? '',
    name: body.name ?? image?.name ?? null,
    human_id: body.human_id ?? mediumId(),
  };
}

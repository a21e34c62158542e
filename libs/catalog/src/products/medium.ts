import { randomBytes } from 'node:crypto';

import { readableId, READABLE_LENGTH } from '@commerce/kernel';
import { Choice, Ref, Text, type Id } from '@commerce/records';

const MEDIUM_KINDS = ['image'] as const;
type MediumKind = (typeof MEDIUM_KINDS)[number];

/** One picture of a product. */
export class Medium {
  @Choice(MEDIUM_KINDS, { fold: 'lower', description: 'only image is supported' })
  kind: MediumKind;

  @Text({ min: 1, max: 2048, description: 'path or URL of the image' })
  url: string;

  @Text({ optional: true, description: 'name for people' })
  name: string | null;

  @Text({ min: READABLE_LENGTH, max: READABLE_LENGTH, description: 'assigned when the product is saved' })
  human_id: string;
}

/** A medium in a request body: in full, or as the id of an image to make it from. */
export class MediumBody {
  @Choice(MEDIUM_KINDS, { fold: 'lower', optional: true, description: 'required unless image is given' })
  kind: MediumKind | null;

  @Text({ min: 1, max: 2048, optional: true, description: 'required unless image is given' })
  url: string | null;

  @Text({ optional: true, description: 'name for people' })
  name: string | null;

  @Text({
    min: READABLE_LENGTH,
    max: READABLE_LENGTH,
    optional: true,
    description: 'readable id of 6 characters; made up when it is left out',
  })
  human_id: string | null;

  @Ref('image', { optional: true, description: 'id of an image; the medium is made from it' })
  image: Id | null;
}

export function mediumId(): string {
  return readableId(randomBytes);
}

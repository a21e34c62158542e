import { Integer } from '@commerce/records';

import { MAX_VARIANT_WIDTH } from './image-width.js';

/** The query of an image's content. */
export class ImageContentQuery {
  @Integer({
    min: 1,
    max: MAX_VARIANT_WIDTH,
    optional: true,
    description: 'asks for a variant at least this wide, in steps; never wider than the original',
  })
  width: number | null;
}

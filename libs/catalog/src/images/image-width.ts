import { Integer } from '@commerce/platform';

/** The widths of variants, in pixels. They are few, which bounds the storage that an image can take. */
export const VARIANT_WIDTHS = [64, 128, 256, 384, 512, 640, 768, 1024, 1280, 1536, 2048] as const;
export const MAX_VARIANT_WIDTH = 2048;

export class ImageContentQuery {
  @Integer({
    optional: true,
    min: 1,
    max: MAX_VARIANT_WIDTH,
    description: 'asks for a variant at least this wide, in steps; never wider than the original',
  })
  width: number | null;
}

/** The width of the variant to send: what is asked for, rounded up to one of VARIANT_WIDTHS; null for the original. */
export function variantWidth({ width }: ImageContentQuery): number | null {
  if (width === null) return null;
  return VARIANT_WIDTHS.find((step) => step >= width) ?? null;
}

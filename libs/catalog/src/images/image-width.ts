/** The widths of variants, in pixels. Their small number bounds the storage of an image. */
export const VARIANT_WIDTHS = [64, 128, 256, 384, 512, 640, 768, 1024, 1280, 1536, 2048] as const;
export const MAX_VARIANT_WIDTH = 2048;

/** The width of the variant for a requested width of at most MAX_VARIANT_WIDTH: the next one up. */
export function variantWidth(requested: number): number {
  return VARIANT_WIDTHS.find((width) => width >= requested) ?? MAX_VARIANT_WIDTH;
}

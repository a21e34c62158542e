import { Fault, type FieldError } from '@commerce/kernel';
import type { RawQuery } from '@commerce/platform';

/** The widths of variants, in pixels. They are few, which bounds the storage that an image can take. */
export const VARIANT_WIDTHS = [64, 128, 256, 384, 512, 640, 768, 1024, 1280, 1536, 2048] as const;
export const MAX_VARIANT_WIDTH = 2048;

/**
 * Reads the query of an image's content: the width of the variant to send, rounded up to one of VARIANT_WIDTHS.
 * Null when the query asks for none.
 * @throws Fault `value.invalid` naming each bad parameter
 */
export function readVariantWidth(query: RawQuery): number | null {
  const errors = Object.keys(query)
    .filter((key) => key !== 'width')
    .map((path): FieldError => ({ path, code: 'field.unknown', message: `${path} is not a parameter here` }));
  const { width } = query;
  const wanted = typeof width === 'string' && /^[1-9]\d{0,3}$/.test(width) ? Number(width) : NaN;
  const found = VARIANT_WIDTHS.find((step) => step >= wanted);
  if (width !== undefined && found === undefined) {
    const message = `width must be a whole number from 1 to ${String(MAX_VARIANT_WIDTH)}, given once`;
    errors.push({ path: 'width', code: 'value.invalid', message });
  }
  if (errors[0]) throw new Fault('value.invalid', errors[0].message, { errors });
  return found ?? null;
}

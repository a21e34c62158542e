import type { FieldError } from '@commerce/kernel';

/** The body of a request, or one item of its list. */
export type SentObject = Readonly<Record<string, unknown>>;

/** One change of the API: it reverts replies to the shape before it, and upgrades bodies from that shape. Pure. */
export interface VersionChange {
  /** The first day of the new shape, YYYY-MM-DD. */
  readonly date: string;
  readonly what: string;
  /** Converts the new shape to the previous one. */
  readonly reply?: (object: Record<string, unknown>) => Record<string, unknown>;
  /** Converts the previous shape to the new one. */
  readonly request?: (object: Record<string, unknown>, publicUrl: string) => Record<string, unknown>;
  /** Renames an invalid field to the name that the caller sent. */
  readonly error?: (error: FieldError, sent: SentObject) => FieldError;
}

/** True for products and resources, which carry images. */
export function carriesImage(object: Record<string, unknown>): boolean {
  const cls = object['_cls'];
  return typeof cls === 'string' && (cls === 'Product' || cls.startsWith('Resource.'));
}

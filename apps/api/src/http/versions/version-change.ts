import type { FieldError } from '@commerce/kernel';

/** The body of a request, or one item of its list. */
export type SentObject = Readonly<Record<string, unknown>>;

/** One change of the interface: how to undo it in replies, and how to read bodies made before it. Pure. */
export interface VersionChange {
  /** The day from which on the new shape holds, YYYY-MM-DD. */
  readonly date: string;
  readonly what: string;
  /** From the shape since this change to the one before. */
  readonly reply?: (object: Record<string, unknown>) => Record<string, unknown>;
  /** From the shape before this change to the one since. */
  readonly request?: (object: Record<string, unknown>, publicUrl: string) => Record<string, unknown>;
  /** Names an invalid field as the caller sent it. */
  readonly error?: (error: FieldError, sent: SentObject) => FieldError;
}

/** Products and resources are what carries images. */
export function carriesImage(object: Record<string, unknown>): boolean {
  const cls = object['_cls'];
  return typeof cls === 'string' && (cls === 'Product' || cls.startsWith('Resource.'));
}

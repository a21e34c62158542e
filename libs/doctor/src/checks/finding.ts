/** Something that is not as it must be. `kind` is `noun.what`; `id` the record's, as text. */
export interface Finding {
  readonly kind: string;
  readonly id: string;
  readonly detail: string;
  /** Puts it right; null where a person has to decide. Safe to run twice. */
  readonly repair: (() => Promise<unknown>) | null;
}

/** Work that takes longer than this is no longer in progress. */
export const IN_PROGRESS_MS = 120_000;

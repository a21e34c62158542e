import type { Id } from '@commerce/platform';

/** Something that is not as it must be. `kind` is `noun.what`; `id` the record's, as text. */
export interface Finding {
  readonly kind: string;
  readonly id: string;
  readonly detail: string;
  /** Puts it right; null where a person has to decide. Safe to run twice. */
  readonly mend: (() => Promise<unknown>) | null;
}

/** Looks at one kind of thing in one company. What is under way just now is no finding. */
export interface Examination {
  examine(company: Id, now: Date): AsyncGenerator<Finding>;
}

/** What takes longer than this is not merely under way. */
export const UNDER_WAY_MS = 120_000;

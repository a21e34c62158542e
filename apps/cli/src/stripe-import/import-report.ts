/** What an import, or its dry run, does with the records of one kind. */
export interface ImportCounts {
  imported: number;
  /** Imported before. */
  there: number;
}

const KINDS = ['users', 'products', 'plans', 'payment_methods', 'subscriptions'] as const;
export type ImportedKind = (typeof KINDS)[number];

/** Something that was left where it is, or not carried over whole. */
export interface ImportProblem {
  readonly id: string;
  readonly why: string;
  /** False where the rest of it was carried over. */
  readonly left: boolean;
}

/** What an import came to. It grows with the problems alone. */
export class ImportReport {
  readonly counts = Object.fromEntries(KINDS.map((kind) => [kind, { imported: 0, there: 0 }])) as Record<
    ImportedKind,
    ImportCounts
  >;
  readonly problems: ImportProblem[] = [];
  /** Subscriptions that were over at Stripe. */
  ended = 0;

  add(kind: ImportedKind, how: keyof ImportCounts): void {
    this.counts[kind][how] += 1;
  }

  leave(id: string, why: string): void {
    this.problems.push({ id, why, left: true });
  }

  note(id: string, why: string): void {
    this.problems.push({ id, why, left: false });
  }
}

import { isFault } from '@commerce/kernel';

import { shapeProblem, type ImportedObject } from './stripe-objects.js';

/** The counts of one kind of record in an import or its dry run. */
export interface ImportCounts {
  imported: number;
  /** Imported by an earlier run. */
  there: number;
}

const KINDS = ['users', 'products', 'plans', 'payment_methods', 'subscriptions'] as const;
export type ImportedKind = (typeof KINDS)[number];

/** An object that was skipped or imported in part. */
export interface ImportProblem {
  readonly id: string;
  readonly why: string;
  /** False when the rest of the object was imported. */
  readonly left: boolean;
}

/** The result of an import. Its size grows only with the number of problems. */
export class ImportReport {
  readonly counts = Object.fromEntries(KINDS.map((kind) => [kind, { imported: 0, there: 0 }])) as Record<
    ImportedKind,
    ImportCounts
  >;
  readonly problems: ImportProblem[] = [];
  /** Subscriptions that had ended at Stripe. */
  ended = 0;

  /** Imports one object. Its errors must not stop the others; those of the provider stop the import. */
  async attempt(from: ImportedObject, work: () => void | Promise<void>): Promise<void> {
    const problem = shapeProblem(from);
    if (problem !== null) {
      this.leave(from.id, problem);
      return;
    }
    try {
      await work();
    } catch (error) {
      if (!isFault(error) || error.code.startsWith('provider.')) throw error;
      this.leave(from.id, error.message);
    }
  }

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

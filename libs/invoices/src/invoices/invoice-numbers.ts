import { RowCollection } from '@commerce/data';
import { localDay } from '@commerce/kernel';
import { BY_COMPANY_TEXT, type Id } from '@commerce/records';

import type { InvoiceKind } from '../content/invoice-content.js';

/** The sequence of numbers of one kind in one year. */
export interface Sequence {
  readonly kind: InvoiceKind;
  readonly year: number;
}

/** Numbers that this database never gave, since a restore has lost them: from `from` to before `to`. */
export interface LostNumbers {
  readonly from: number;
  readonly to: number;
  readonly at: Date;
}

/** The next number of a sequence. The id is company, kind and year. */
export interface NumberRow {
  readonly _id: string;
  readonly next: number;
  readonly lost?: readonly LostNumbers[];
}

/** The year whose sequence numbers a document of this date. */
export function yearOf(date: Date, timezone: string): number {
  return Number(localDay(date, timezone).slice(0, -'-12-31'.length));
}

export const NUMBERS = new RowCollection<NumberRow>('invoice_numbers', { sharding: BY_COMPANY_TEXT });

/** Names a sequence of a company. */
export function sequenceKey(company: Id, { kind, year }: Sequence): string {
  return `${company.toHexString()}/${kind}/${String(year)}`;
}

import type { InvoiceKind } from './invoice-content.js';

/** Stands between the prefix and the year of a credit note, so that no two documents have one number. */
const CREDIT_NOTE = 'CN';

/** The number of the document in this place of its year: `R2026-000123`, and `RCN2026-000123` for a credit note. */
export function invoiceNumber(prefix: string, kind: InvoiceKind, year: number, place: number): string {
  const mark = kind === 'credit_note' ? CREDIT_NOTE : '';
  return `${prefix}${mark}${String(year)}-${String(place).padStart(6, '0')}`;
}

import { InvoiceRecord, SAMPLE_INVOICE } from '@commerce/invoices';
import { makeRecord, newId } from '@commerce/records';

import { exportRows } from './export-rows.js';

const { taxes, totals, number, currency } = SAMPLE_INVOICE;

function rowsOf(values: Partial<InvoiceRecord>): ReturnType<typeof exportRows> {
  const ids = { company: newId(), user: newId(), payment: newId() };
  const invoice = { ...ids, kind: 'invoice', number, currency, content: SAMPLE_INVOICE } as const;
  return exportRows(makeRecord(InvoiceRecord, { ...invoice, ...values }, new Date()), '');
}

const sumOf = (rows: ReturnType<typeof exportRows>, column: 'net' | 'tax' | 'gross'): number =>
  Math.round(rows.reduce((sum, row) => sum + Number(row[column]), 0) * 100) / 100;

describe('the rows of an export', () => {
  it('are one for each tax, and add up to the document', () => {
    const rows = rowsOf({});
    expect(rows).toHaveLength(taxes.length);
    expect([sumOf(rows, 'net'), sumOf(rows, 'tax'), sumOf(rows, 'gross')]).toEqual(Object.values(totals));
    expect(rows.map(({ document_gross }) => document_gross)).toEqual([
      totals.gross,
      ...taxes.slice(1).map(() => ''),
    ]);
  });

  it('are negative for credit notes, which name their invoice', () => {
    const preceding = { number: 'R2026-000001', issue_date: '2026-04-01' };
    const content = { ...SAMPLE_INVOICE, kind: 'credit_note' as const, preceding };
    const rows = rowsOf({ kind: 'credit_note', content });
    expect(sumOf(rows, 'gross')).toBe(-totals.gross);
    expect(rows[0]).toMatchObject({ invoice: 'R2026-000001', paid: -SAMPLE_INVOICE.paid });
  });
});

import type { Reply } from 'commerce-service-client';

import { signed } from '../../lists/document-amounts';

export type Invoice = Reply<'/invoices/{id}', 'get'>;

/** A document as one line of a spreadsheet; a credit note is below 0, so that a column adds up. */
export function rowOf({ content, ...invoice }: Invoice) {
  const { buyer, preceding, paid, credit_applied, issue_date } = content;
  return {
    ...invoice,
    issue_date,
    buyer: buyer.company ?? buyer.name,
    buyer_country: buyer.address?.country ?? null,
    buyer_vat_id: buyer.vat_id,
    preceding_number: preceding?.number ?? null,
    net: signed(invoice, invoice.net),
    tax: signed(invoice, invoice.tax),
    gross: signed(invoice, invoice.gross),
    paid: signed(invoice, paid),
    credit_applied: signed(invoice, credit_applied),
  };
}

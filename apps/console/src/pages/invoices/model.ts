import type { Reply } from 'commerce-service-client';

import { money } from '../../app/format';

export type Invoice = Reply<'/invoices/{id}', 'get'>;

/** The total of a document; a credit note takes from what came in. */
export function signedGross({ kind, gross, currency }: Invoice): string {
  return money(kind === 'credit_note' ? -gross : gross, currency);
}

/** A document as one line of a spreadsheet; a credit note is below 0, so that a column adds up. */
export function rowOf({ content, ...invoice }: Invoice) {
  const sign = invoice.kind === 'credit_note' ? -1 : 1;
  const { buyer } = content;
  return {
    ...invoice,
    issue_date: content.issue_date,
    buyer: buyer.company ?? buyer.name,
    buyer_country: buyer.address?.country ?? null,
    buyer_vat_id: buyer.vat_id,
    preceding_number: content.preceding?.number ?? null,
    net: signed(invoice.net, sign),
    tax: signed(invoice.tax, sign),
    gross: signed(invoice.gross, sign),
    paid: signed(content.paid, sign),
    credit_applied: signed(content.credit_applied, sign),
  };
}

/** Without a negative zero. */
function signed(amount: number, sign: 1 | -1): number {
  return amount === 0 ? 0 : amount * sign;
}

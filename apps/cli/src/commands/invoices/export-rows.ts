import type { InvoiceRecord } from '@commerce/invoices';

/** The columns of the list of an export. */
export const EXPORT_COLUMNS = [
  ...(['number', 'kind', 'issue_date', 'invoice', 'currency'] as const),
  ...(['tax_category', 'tax_rate', 'tax_country', 'net', 'tax', 'gross'] as const),
  ...([
    'paid',
    'credit_applied',
    'document_gross',
    'customer',
    'customer_vat_id',
    'country',
    'email',
  ] as const),
  ...(['payment', 'payment_reference', 'no_xml_because'] as const),
] as const;

export type ExportRow = Readonly<Record<(typeof EXPORT_COLUMNS)[number], string | number>>;

/**
 * One row for each tax of a document. The amounts of credit notes are negative, so that columns can be added up; what
 * the document comes to as a whole stands in the row of its first tax only.
 * @param noXml why it cannot be had as XML; empty where it can
 */
export function exportRows(
  { kind, number, currency, payment, content }: InvoiceRecord,
  noXml: string,
): ExportRow[] {
  const { issue_date, taxes, totals, buyer, preceding } = content;
  const sign = kind === 'credit_note' ? -1 : 1;
  const signed = (amount: number): number => (amount === 0 ? 0 : sign * amount);
  return taxes.map(({ category, rate, country, net, tax, gross }, index) => ({
    ...{ number, kind, issue_date, invoice: preceding?.number ?? '', currency },
    ...{ tax_category: category, tax_rate: rate, tax_country: country ?? '' },
    ...{ net: signed(net), tax: signed(tax), gross: signed(gross) },
    paid: index === 0 ? signed(content.paid) : '',
    credit_applied: index === 0 ? signed(content.credit_applied) : '',
    document_gross: index === 0 ? signed(totals.gross) : '',
    customer: buyer.company ?? buyer.name ?? buyer.human_id,
    customer_vat_id: buyer.vat_id ?? '',
    country: buyer.address?.country ?? '',
    email: buyer.email ?? '',
    payment: payment.toHexString(),
    payment_reference: content.payment.reference ?? '',
    no_xml_because: index === 0 ? noXml : '',
  }));
}

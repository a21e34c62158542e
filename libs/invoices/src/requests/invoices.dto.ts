import { Choice, Ref, listQuery, sortsOf, type Id } from '@commerce/records';

import { INVOICE_KINDS, type InvoiceKind } from '../content/invoice-content.js';
import { InvoiceRecord } from '../invoices/invoice.record.js';

export class ListInvoicesQuery extends listQuery({
  sortable: sortsOf(InvoiceRecord),
  sort: '-created',
  dates: ['created'],
}) {
  @Ref('user', { optional: true, description: 'documents of this user only' })
  user: Id | null;

  @Choice(INVOICE_KINDS, { optional: true, fold: 'lower', description: 'documents of this kind only' })
  kind: InvoiceKind | null;

  @Ref('payment', { optional: true, description: 'documents of this payment and its refunds only' })
  payment: Id | null;

  @Ref('subscription', { optional: true, description: 'documents of this subscription only' })
  subscription: Id | null;
}

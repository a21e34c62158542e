import {
  Amount,
  Choice,
  Currency,
  Instant,
  Integer,
  OwnedRecord,
  RecordOf,
  Ref,
  Text,
  Written,
  type Id,
} from '@commerce/records';

import { INVOICE_KINDS, type InvoiceContent, type InvoiceKind } from '../content/invoice-content.js';
import { INVOICE_CONTENT_SCHEMA } from '../content/invoice-content.schema.js';
import { SAMPLE_INVOICE } from '../content/sample-invoice.js';

const taken = (path: string, message: string): { code: string; path: string; message: string } => ({
  code: 'record.conflict',
  path,
  message,
});

/**
 * An invoice of a payment, a credit note of a refund, or an invoice that takes back the credit note of a refund that
 * failed. It never changes and is never removed.
 */
@RecordOf({
  collection: 'invoices',
  noun: 'invoice',
  cls: 'Invoice',
  touched: 'updated',
  owner: 'user',
  list: {
    sorts: ['created'],
    by: { user: ['created'], kind: ['created'], payment: ['created'], subscription: ['created'] },
  },
  indexes: [
    {
      fields: { company: 1, payment: 1, refund: 1, kind: 1 },
      options: { unique: true },
      taken: taken('payment', 'There is a document for this already'),
    },
    {
      fields: { company: 1, kind: 1, year: 1, place: 1 },
      options: { unique: true },
      taken: taken('number', 'This number was given'),
    },
    {
      fields: { company: 1, number: 1 },
      options: { unique: true },
      taken: taken('number', 'This number was given'),
    },
  ],
  sample: sampleInvoice,
})
export class InvoiceRecord extends OwnedRecord {
  @Ref('user', { description: 'who buys' })
  user: Id;

  @Choice(INVOICE_KINDS, { fold: 'lower', description: 'credit_note: it gives back a part of an invoice' })
  kind: InvoiceKind;

  @Text({
    description: 'unique in the company, without a gap within its kind and year',
    example: 'R2026-000123',
  })
  number: string;

  @Integer({ hidden: true })
  year: number;

  /** 1, 2, 3… within the company, kind and year. */
  @Integer({ hidden: true })
  place: number;

  @Ref('payment', { description: 'the payment that it is for' })
  payment: Id;

  @Ref('subscription', { optional: true, description: 'the subscription that paid; null for an order' })
  subscription: Id | null;

  @Text({
    optional: true,
    description:
      'on a credit note, the key of the refund of that payment; on an invoice, of the one that failed, whose credit note it takes back',
  })
  refund: string | null;

  @Ref('invoice', {
    optional: true,
    description: 'the invoice that it corrects: on a credit note, and on what takes one back',
  })
  preceding: Id | null;

  @Currency()
  currency: string;

  @Amount({ description: 'without VAT' })
  net: number;

  @Amount({ description: 'the VAT' })
  tax: number;

  @Amount({ description: 'what the payment, or the refund, comes to' })
  gross: number;

  @Written({
    packed: true,
    description: 'all that the document says, as it was when the payment or refund succeeded',
    schema: INVOICE_CONTENT_SCHEMA,
  })
  content: InvoiceContent;

  @Instant({ last: true })
  updated: Date;
}

function sampleInvoice(): Partial<InvoiceRecord> {
  const { kind, number, currency, totals } = SAMPLE_INVOICE;
  return { kind, number, year: 2026, place: 123, currency, ...totals, content: SAMPLE_INVOICE };
}

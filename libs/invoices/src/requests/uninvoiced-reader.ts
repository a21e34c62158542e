import { Injectable } from '@nestjs/common';
import { toMinor } from '@commerce/kernel';
import { InvoiceDueStore, isCollected, type PaymentRecord } from '@commerce/payments';
import type { Id } from '@commerce/records';

import type { InvoiceRecord } from '../invoices/invoice.record.js';
import { InvoiceStore } from '../invoices/invoice.store.js';

/** A collected payment, and which of its documents neither exist nor are due: null is its invoice, a key a refund's. */
export interface Uninvoiced {
  readonly payment: PaymentRecord;
  readonly missing: readonly (string | null)[];
}

/** Finds payments and refunds without documents. */
@Injectable()
export class UninvoicedReader {
  constructor(
    private readonly due: InvoiceDueStore,
    private readonly invoices: InvoiceStore,
  ) {}

  async among(company: Id, payments: readonly PaymentRecord[]): Promise<Uninvoiced[]> {
    const collected = payments.filter(({ status }) => isCollected(status));
    const ids = collected.map(({ _id }) => _id);
    // In this order: a row that is gone has become a document by now.
    const due = await this.due.ofPayments(company, ids);
    const documents = await this.invoices.ofPayments(company, ids);
    return collected.flatMap((payment) => {
      const rows = due.filter((row) => row.payment.equals(payment._id));
      const known = documents.filter((one) => one.payment.equals(payment._id));
      const waiting = new Set(rows.map(({ refund }) => refund));
      const missing = missingOf(payment, known).filter((key) => !waiting.has(key));
      return missing.length === 0 ? [] : [{ payment, missing }];
    });
  }
}

function missingOf(payment: PaymentRecord, known: readonly InvoiceRecord[]): (string | null)[] {
  const { refunds, refunded_amount, currency } = payment;
  const has = new Set(known.map(({ refund }) => refund));
  const credited = known.reduce(
    (sum, { refund, gross }) => sum + (refund === null ? 0 : toMinor(gross, currency)),
    0,
  );
  // The credit note of a refund that failed later stands for the refund that replaced it.
  const isCredited = credited >= toMinor(refunded_amount, currency);
  const open = refunds.filter(({ key, status }) => status === 'SUCCEEDED' && !has.has(key));
  return [...(has.has(null) ? [] : [null]), ...(isCredited ? [] : open.map(({ key }) => key))];
}

import { Injectable } from '@nestjs/common';
import { toMajor } from '@commerce/kernel';
import { InvoiceDueStore, PaymentStore, isCollected, type PaymentRecord } from '@commerce/payments';
import { distinctIds, type Id } from '@commerce/records';

import type { InvoiceRecord } from '../invoices/invoice.record.js';
import { InvoiceStore } from '../invoices/invoice.store.js';
import { creditedMinor, uncreditedMinor } from '../issuing/credited-amounts.js';

/** A collected payment whose documents are not what they must be. */
export interface Uninvoiced {
  readonly payment: PaymentRecord;
  /** The documents that would mend it, and neither exist nor are due: null is its invoice, a key that of a refund. */
  readonly missing: readonly (string | null)[];
  /** What its credit notes lack of what was given back; negative where they are too much. */
  readonly uncredited: number;
}

/** Finds payments and refunds without documents, and credit notes that do not add up to what was given back. */
@Injectable()
export class UninvoicedReader {
  constructor(
    private readonly due: InvoiceDueStore,
    private readonly invoices: InvoiceStore,
    private readonly payments: PaymentStore,
  ) {}

  async among(company: Id, payments: readonly PaymentRecord[]): Promise<Uninvoiced[]> {
    const collected = payments.filter(({ status }) => isCollected(status));
    const ids = collected.map(({ _id }) => _id);
    // In this order: a row that is gone has become a document by now.
    const due = await this.due.ofPayments(company, ids);
    const documents = await this.invoices.ofPayments(company, ids);
    const waiting = new Set(due.map(({ payment }) => payment.toHexString()));
    const found = collected.flatMap((payment) => {
      const known = documents.filter((one) => one.payment.equals(payment._id));
      const one = uninvoiced(payment, known);
      return one === null || waiting.has(payment._id.toHexString()) ? [] : [one];
    });
    return this.unchanged(company, found);
  }

  /** Leaves out the payments that have changed since they were read: their documents may be of later refunds. */
  private async unchanged(company: Id, found: readonly Uninvoiced[]): Promise<Uninvoiced[]> {
    if (found.length === 0) return [];
    const ids = distinctIds(found.map(({ payment }) => payment._id));
    const now = await this.payments.in(company).partsByIds(ids, ['sys']);
    return found.filter(
      ({ payment }) => now.get(payment._id.toHexString())?.sys.version === payment.sys.version,
    );
  }
}

function uninvoiced(payment: PaymentRecord, known: readonly InvoiceRecord[]): Uninvoiced | null {
  const { refunds, currency } = payment;
  const invoice = known.some(({ refund }) => refund === null) ? [] : [null];
  const uncredited_minor = uncreditedMinor(payment, creditedMinor(known, currency));
  const [status, kind] =
    uncredited_minor < 0 ? (['FAILED', 'invoice'] as const) : (['SUCCEEDED', 'credit_note'] as const);
  const has = new Set(known.filter((one) => one.kind === kind).map(({ refund }) => refund));
  const open = refunds.filter((one) => one.status === status && !has.has(one.key)).map(({ key }) => key);
  const corrections = uncredited_minor === 0 ? [] : uncredited_minor < 0 ? open.slice(-1) : open;
  if (invoice.length === 0 && uncredited_minor === 0) return null;
  return { payment, missing: [...invoice, ...corrections], uncredited: toMajor(uncredited_minor, currency) };
}

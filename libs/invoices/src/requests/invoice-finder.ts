import { Injectable } from '@nestjs/common';
import { FindsRecords, foundByIds, type FoundRecord, type RecordFinder, type Sought } from '@commerce/data';
import type { Id } from '@commerce/records';

import type { InvoiceRecord } from '../invoices/invoice.record.js';
import { InvoiceStore } from '../invoices/invoice.store.js';

/** The beginning of a number, its year included: a shorter one would find the first documents ever issued. */
const NUMBERED = /^[A-Z0-9/-]*\d{4}-\d*$/;

/** Finds invoices and credit notes by id, and by the beginning of their number. */
@Injectable()
@FindsRecords()
export class InvoiceFinder implements RecordFinder {
  readonly place = 4;

  constructor(private readonly store: InvoiceStore) {}

  async find(company: Id, sought: Sought, limit: number): Promise<FoundRecord[]> {
    const found = await this.documents(company, sought, limit);
    return found.map(({ _id, number, user, gross, currency, created }) => ({
      object_type: 'invoice',
      ...{ _id, number, user, amount: gross, currency, created },
    }));
  }

  private async documents(company: Id, sought: Sought, limit: number): Promise<InvoiceRecord[]> {
    const records = this.store.in(company);
    if (sought.id !== null) return foundByIds(records, { ...sought, human_id: null });
    const text = sought.text.toUpperCase();
    if (!NUMBERED.test(text)) return [];
    // Digits alone follow the beginning of a number.
    return records.many({ number: { $gte: text, $lt: `${text}:` } }, { limit, sort: { number: 1 } });
  }
}

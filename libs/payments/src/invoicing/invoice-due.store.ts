import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { RowCollection, type UnitOfWork } from '@commerce/data';
import { BY_COMPANY, distinctIds, newId, parseId, type Id } from '@commerce/records';
import type { ClientSession, Collection, Connection } from 'mongoose';

/** A payment that succeeded, or one of its refunds that succeeded or failed, whose document is not made yet. */
export interface InvoiceDue {
  readonly _id: Id;
  readonly company: Id;
  readonly payment: Id;
  /** The key of the refund; null for the payment itself. */
  readonly refund: string | null;
  /** The business date of the document: that of the success, or of the failure. */
  readonly date: Date;
  /** When it succeeded; later once a document could not be made. Real time: documents are numbered in this order. */
  readonly from: Date;
  /** How often the document could not be made. */
  readonly tries: number;
  /** Why, the last time; null while it was not tried. */
  readonly error: string | null;
}

/** A row without the fields that the store sets. */
export type NewInvoiceDue = Pick<InvoiceDue, 'payment' | 'refund' | 'date' | 'from'>;

const DUE = new RowCollection<InvoiceDue>('invoices_due', {
  sharding: BY_COMPANY,
  indexes: [{ key: { company: 1, from: 1, _id: 1 } }, { key: { company: 1, payment: 1 } }],
});

/** Rows whose companies one query reads. */
const PAGE = 500;

/** Before the ids of all companies. */
const FIRST_ID = parseId('000000000000000000000000') as Id;

/** What waits for its document. A row is written in the commit of the outcome, and removed in that of the document. */
@Injectable()
export class InvoiceDueStore {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Adds a row to the commit of the outcome. */
  add(work: UnitOfWork, due: NewInvoiceDue): void {
    work.row({ collection: DUE.name, operation: { insertOne: { document: rowOf(work.company, due) } } });
  }

  /** The companies with waiting rows, in ascending order. Each page reads the companies of some rows behind the last one. */
  async *companies(): AsyncGenerator<Id> {
    for (let last: Id = FIRST_ID; ;) {
      const rows = await this.rows
        .find({ company: { $gt: last } }, { projection: { company: 1, _id: 0 }, batchSize: PAGE })
        .sort({ company: 1 })
        .limit(PAGE)
        .toArray();
      const page = distinctIds(rows.map(({ company }) => company));
      yield* page;
      const end = page.at(-1);
      if (end === undefined || rows.length < PAGE) return;
      last = end;
    }
  }

  /** Whether a row of a company dates from after one instant, up to another. */
  async hasBetween(company: Id, after: Date, until: Date): Promise<boolean> {
    const asked = { company, from: { $gt: after, $lte: until } };
    return (await this.rows.find(asked, { projection: { _id: 1 }, limit: 1 }).next()) !== null;
  }

  /** Rows of a company that are due, in the order of success. */
  async dueOf(company: Id, until: Date, limit: number): Promise<InvoiceDue[]> {
    return this.rows
      .find({ company, from: { $lte: until } }, { batchSize: limit })
      .sort({ from: 1, _id: 1 })
      .limit(limit)
      .toArray();
  }

  /** The rows of these payments. */
  async ofPayments(company: Id, payments: readonly Id[]): Promise<InvoiceDue[]> {
    return this.rows.find({ company, payment: { $in: [...payments] } }).toArray();
  }

  /** Rows of a company whose documents could not be made. */
  async failed(company: Id, limit: number): Promise<InvoiceDue[]> {
    return this.rows.find({ company, error: { $ne: null } }, { limit }).toArray();
  }

  /** Has the rows of a company whose documents could not be made tried again from a date on. */
  async retryFailed(company: Id, from: Date): Promise<void> {
    await this.rows.updateMany({ company, error: { $ne: null } }, { $set: { from } });
  }

  /** Removes rows in the transaction of their documents; false where another worker has removed one. */
  async remove(company: Id, ids: readonly Id[], session: ClientSession): Promise<boolean> {
    if (ids.length === 0) return true;
    const { deletedCount } = await this.rows.deleteMany({ _id: { $in: [...ids] }, company }, { session });
    return deletedCount === ids.length;
  }

  /** Puts a row off that no document could be made of. */
  async postpone({ _id, company, tries }: InvoiceDue, from: Date, error: string): Promise<void> {
    await this.rows.updateOne({ _id, company, tries }, { $set: { from, error, tries: tries + 1 } });
  }

  private get rows(): Collection<InvoiceDue> {
    return DUE.in(this.connection);
  }
}

function rowOf(company: Id, due: NewInvoiceDue): InvoiceDue {
  return { _id: newId(), company, ...due, tries: 0, error: null };
}

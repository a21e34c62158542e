import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { RowCollection, isDuplicate } from '@commerce/data';
import { BY_COMPANY, type Id } from '@commerce/records';
import { mongo, type Collection, type Connection } from 'mongoose';

import type { InvoiceRecord } from '../invoices/invoice.record.js';
import type { RenderedForm } from './document-request.js';

interface DocumentRow {
  /** The invoice and the form. */
  readonly _id: string;
  readonly company: Id;
  readonly bytes: mongo.Binary;
}

const DOCUMENTS = new RowCollection<DocumentRow>('invoice_documents', { sharding: BY_COMPANY });

/** A larger document is made at each request. MongoDB keeps at most 16 MiB in one row. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024;

/** The invoice that a document shows. */
type Shown = Pick<InvoiceRecord, '_id' | 'company'>;

/** The rendered documents of invoices, kept for good: an invoice never changes. */
@Injectable()
export class DocumentStore {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async find({ _id, company }: Shown, form: RenderedForm): Promise<Buffer | null> {
    const row = await this.rows.findOne({ _id: keyOf(_id, form), company });
    return row === null ? null : Buffer.from(row.bytes.buffer);
  }

  /** Keeps a document; returns the bytes of another process that kept it first. */
  async keep(invoice: Shown, form: RenderedForm, bytes: Buffer): Promise<Buffer> {
    if (bytes.length > MOST_KEPT_BYTES) return bytes;
    const { _id, company } = invoice;
    try {
      await this.rows.insertOne({ _id: keyOf(_id, form), company, bytes: new mongo.Binary(bytes) });
      return bytes;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return (await this.find(invoice, form)) ?? bytes;
    }
  }

  private get rows(): Collection<DocumentRow> {
    return DOCUMENTS.in(this.connection);
  }
}

function keyOf(invoice: Id, form: RenderedForm): string {
  return `${invoice.toHexString()}/${form}`;
}

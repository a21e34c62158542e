import { Injectable } from '@nestjs/common';
import {
  OutboxSignal,
  RecordStore,
  inTransaction,
  insertEvents,
  isDuplicate,
  outboxRow,
  type OutboxRow,
} from '@commerce/data';
import { fieldFault } from '@commerce/kernel';
import { InjectRecord, copyWith, renderObject, sealed, type Id, type RecordModel } from '@commerce/records';
import type { ClientSession, Collection } from 'mongoose';

import { InvoiceRecord } from './invoice.record.js';
import { NUMBERS, sequenceKey, type NumberRow, type Sequence } from './invoice-numbers.js';

/** A sequence, its next number as it was read, and as it will be. */
export interface TakenNumbers extends Sequence {
  readonly from: number;
  readonly to: number;
}

/** Documents to write, with the numbers that they take. */
export interface Issued {
  readonly documents: readonly InvoiceRecord[];
  readonly taken: readonly TakenNumbers[];
}

/** Another worker took numbers of the same sequence, or removed what is due. */
class IssuedElsewhere extends Error {}

@Injectable()
export class InvoiceStore extends RecordStore<InvoiceRecord> {
  constructor(
    @InjectRecord(InvoiceRecord) model: RecordModel,
    private readonly signal: OutboxSignal,
  ) {
    super(model, InvoiceRecord);
  }

  /** The next number of a sequence. */
  async nextOf(company: Id, sequence: Sequence): Promise<number> {
    return (await this.nextIn(company, [sequence]))(sequence);
  }

  /** The next numbers of these sequences. */
  async nextIn(company: Id, sequences: readonly Sequence[]): Promise<(sequence: Sequence) => number> {
    const keys = [...new Set(sequences.map((one) => sequenceKey(company, one)))];
    const rows = await this.numbers.find({ _id: { $in: keys } }).toArray();
    const next = new Map(rows.map((row) => [row._id, row.next]));
    return (sequence) => next.get(sequenceKey(company, sequence)) ?? 1;
  }

  /** All sequences of a company that have begun. */
  async sequencesOf(company: Id): Promise<(Sequence & NumberRow)[]> {
    const own = company.toHexString();
    const rows = await this.numbers.find({ _id: { $gte: `${own}/`, $lt: `${own}0` } }).toArray();
    return rows.map((row) => ({ ...row, ...sequenceIn(row._id) }));
  }

  /**
   * Raises the next number of a sequence; the numbers between count as lost.
   * @throws Fault `value.invalid` where it is not above the next number
   */
  async raise(company: Id, sequence: Sequence, number: number, at: Date): Promise<void> {
    const _id = sequenceKey(company, sequence);
    const next = await this.nextOf(company, sequence);
    if (number <= next) throw fieldFault('number', `number must be above ${String(next)}, the next one`);
    const lost = { from: next, to: number, at };
    // Another process that gives a number meanwhile makes this fail.
    const { matchedCount } = await this.numbers.updateOne(
      { _id, next },
      { $set: { next: number }, $push: { lost } },
    );
    if (matchedCount === 0) await this.numbers.insertOne({ _id, next: number, lost: [lost] });
  }

  /** The documents of these payments. */
  async ofPayments(company: Id, payments: readonly Id[]): Promise<InvoiceRecord[]> {
    return this.in(company).many({ payment: { $in: [...payments] } });
  }

  /**
   * Writes documents, their events and the next numbers in one transaction; `also` adds further writes to it, and may
   * run several times. The transaction includes the next number of each sequence, so two workers cannot both commit:
   * numbers become visible in order.
   * @param also resolves to false where another worker was faster
   * @returns false when another worker was faster; nothing was written then
   */
  async write(
    company: Id,
    { documents, taken }: Issued,
    also: (session: ClientSession) => Promise<boolean>,
  ): Promise<boolean> {
    try {
      await inTransaction(this.model.db, async (session) => {
        for (const numbers of taken) await this.take(company, numbers, session);
        if (!(await also(session))) throw new IssuedElsewhere();
        await this.insert(documents, session);
      });
    } catch (error) {
      if (error instanceof IssuedElsewhere || isDuplicate(error)) return false;
      throw error;
    }
    if (documents.length > 0) this.signal.notify(company);
    return true;
  }

  private async take(
    company: Id,
    { from, to, ...sequence }: TakenNumbers,
    session: ClientSession,
  ): Promise<void> {
    const _id = sequenceKey(company, sequence);
    if (from === 1) {
      await this.numbers.insertOne({ _id, next: to }, { session });
      return;
    }
    const { matchedCount } = await this.numbers.updateOne(
      { _id, next: from },
      { $set: { next: to } },
      { session },
    );
    if (matchedCount === 0) throw new IssuedElsewhere();
  }

  private async insert(documents: readonly InvoiceRecord[], session: ClientSession): Promise<void> {
    if (documents.length === 0) return;
    const rows = documents.map((one) => sealed(InvoiceRecord, one._id, one));
    await this.model.collection.insertMany(rows, { session });
    await insertEvents(this.model.db, documents.map(createdEvent), session);
  }

  private get numbers(): Collection<NumberRow> {
    return NUMBERS.in(this.model.db);
  }
}

function createdEvent(document: InvoiceRecord): OutboxRow {
  const { company, _id, created, sys, content } = document;
  // The content is plain JSON already: rendering it would copy all of it.
  const object = { ...renderObject(copyWith(document, { content: undefined })), content };
  return outboxRow({
    company,
    kind: 'invoice.created',
    object_type: 'invoice',
    object_id: _id,
    object,
    previous_data: {},
    created,
    sequence: sys.events,
  });
}

function sequenceIn(id: string): Sequence {
  const [, kind, year] = id.split('/');
  return { kind: kind === 'credit_note' ? kind : 'invoice', year: Number(year) };
}

import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '@commerce/data';
import { Log } from '@commerce/platform';
import { InvoiceDueStore, type InvoiceDue } from '@commerce/payments';
import type { Id } from '@commerce/records';

import { InvoiceStore } from '../invoices/invoice.store.js';
import { BatchSize } from './batch-size.js';
import { BatchSourceReader } from './batch-source-reader.js';
import { DocumentBatch } from './document-batch.js';

/** Commits of successes that began earlier have ended by then, so that numbers follow the order of success. */
const SETTLING_MS = 1000;

/** While a company's payments go on succeeding, their documents wait so long at most: together they cost less. */
const LONGEST_WAIT_MS = 5000;

/** The time until a row whose document could not be made is tried again. */
const AGAIN_MS = 3_600_000;

/** Batches of one run that another worker was faster with. */
const MOST_LOST = 1000;

type Pass = 'done' | 'more' | 'lost';

/**
 * Makes and numbers the documents of what has succeeded. It may run anywhere, at any time and any number of times: each
 * batch is one transaction with the next numbers, and two workers cannot commit the same.
 */
@Injectable()
export class InvoiceIssuer {
  constructor(
    private readonly due: InvoiceDueStore,
    private readonly invoices: InvoiceStore,
    private readonly sources: BatchSourceReader,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
  ) {}

  /** Makes all documents of a company that are due. */
  async run(company: Id): Promise<void> {
    if (await this.isWaiting(company)) return;
    const size = new BatchSize();
    let lost = 0;
    while (lost < MOST_LOST) {
      const pass = await this.pass(company, size);
      if (pass === 'done') return;
      if (pass === 'lost') lost += 1;
    }
    throw new Error('other workers kept issuing the same documents, or a number was given before');
  }

  /** Whether a company's payments go on succeeding, and none has waited for long. */
  private async isWaiting(company: Id): Promise<boolean> {
    const now = await this.clock.now();
    const ago = (ms: number): Date => new Date(now.getTime() - ms);
    if (!(await this.due.hasBetween(company, ago(SETTLING_MS), now))) return false;
    return !(await this.due.hasBetween(company, new Date(0), ago(LONGEST_WAIT_MS)));
  }

  private async pass(company: Id, size: BatchSize): Promise<Pass> {
    const now = await this.clock.now();
    const limit = size.next;
    const rows = await this.due.dueOf(company, new Date(now.getTime() - SETTLING_MS), limit);
    const sources = rows.length === 0 ? null : await this.sources.read(company, rows);
    if (sources === null) return 'done';
    const batch = new DocumentBatch({ ...sources, waiting: await this.waitingOf(company, rows) });
    for (const row of rows) batch.add(row);
    const { documents } = batch;
    size.note(
      documents.length,
      documents.reduce((sum, { content }) => sum + content.lines.length, 0),
    );
    for (const { due, error } of batch.refused) await this.postpone(due, error, now);
    const isWritten =
      batch.done.length === 0 ||
      (await this.invoices.write(company, { documents, taken: batch.taken }, (session) =>
        this.due.remove(company, batch.done, session),
      ));
    if (isWritten)
      this.log.debug({ company: company.toHexString(), documents: documents.length }, 'Issued invoices');
    if (!isWritten) return 'lost';
    return rows.length < limit ? 'done' : 'more';
  }

  /** The payments of these rows whose own invoice is due, now or later. */
  private async waitingOf(company: Id, rows: readonly InvoiceDue[]): Promise<ReadonlySet<string>> {
    const ids = rows.filter(({ refund }) => refund !== null).map(({ payment }) => payment);
    if (ids.length === 0) return new Set();
    const own = (await this.due.ofPayments(company, ids)).filter(({ refund }) => refund === null);
    return new Set(own.map(({ payment }) => payment.toHexString()));
  }

  private async postpone(due: InvoiceDue, error: string, now: Date): Promise<void> {
    const names = { payment: due.payment.toHexString(), refund: due.refund };
    this.log.error({ ...names, error, tries: due.tries + 1 }, 'No invoice could be made');
    await this.due.postpone(due, new Date(now.getTime() + AGAIN_MS), error);
  }
}

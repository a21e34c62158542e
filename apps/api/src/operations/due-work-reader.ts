import { Injectable } from '@nestjs/common';
import { SubscriptionStore } from '@commerce/billing';
import { InvoiceDueStore, PaymentStore } from '@commerce/payments';
import type { Caller } from '@commerce/data';
import type { Id } from '@commerce/records';
import { QueueReader } from '@commerce/jobs';

import type { OperationsReply, WaitingInvoiceReply } from './due-work.reply.js';
import { DueDeliveriesReader } from './due-deliveries-reader.js';
import { HoldReader } from './hold-reader.js';

/** Invoices that could not be made, of which the reply names so many. */
const MOST_INVOICES = 5;

/**
 * Reads a company's due work from the dates on its records, the source of truth. The queues only show whether workers
 * reach their jobs.
 */
@Injectable()
export class DueWorkReader {
  constructor(
    private readonly subscriptions: SubscriptionStore,
    private readonly payments: PaymentStore,
    private readonly deliveries: DueDeliveriesReader,
    private readonly invoices: InvoiceDueStore,
    private readonly holds: HoldReader,
    private readonly queues: QueueReader,
  ) {}

  /** @param at the time by which work is due */
  async read({ company }: Caller, at: Date): Promise<OperationsReply> {
    const [billing, payments, { endpoints, ...deliveries }, waiting_invoices, held, dunning, queues] =
      await Promise.all([
        this.subscriptions.dueOf(company, at),
        this.payments.dueOf(company, at),
        this.deliveries.read(company, at),
        this.waitingInvoices(company),
        this.holds.read(company),
        this.subscriptions.owed(company),
        this.queues.standings(),
      ]);
    const work = [
      { work: 'billing' as const, ...billing },
      { work: 'payments' as const, ...payments },
      { work: 'deliveries' as const, ...deliveries },
    ];
    return { at, work, ...held, endpoints, waiting_invoices, dunning, queues };
  }

  private async waitingInvoices(company: Id): Promise<WaitingInvoiceReply[]> {
    const rows = await this.invoices.failed(company, MOST_INVOICES);
    return rows.map(({ payment, error }) => ({ payment, error: error ?? '' }));
  }
}

import { Injectable } from '@nestjs/common';
import { SubscriptionStore } from '@commerce/billing';
import { BillingHoldStore, InvoiceDueStore } from '@commerce/payments';
import type { Id } from '@commerce/records';

import type { OperationsReply, WaitingInvoiceReply } from './due-work.reply.js';

/** Invoices that could not be made, of which the reply names so many. */
const MOST_INVOICES = 5;

type Held = Pick<OperationsReply, 'held' | 'held_capped' | 'billing_hold' | 'waiting_invoices'>;

/** Reads what waits for a person: the subscriptions on hold, the hold of the whole installation, and invoices. */
@Injectable()
export class HoldReader {
  constructor(
    private readonly subscriptions: SubscriptionStore,
    private readonly holds: BillingHoldStore,
    private readonly invoices: InvoiceDueStore,
  ) {}

  async read(company: Id): Promise<Held> {
    const [{ count: held, capped: held_capped }, billing_hold, waiting_invoices] = await Promise.all([
      this.subscriptions.heldCount(company),
      this.holds.since(),
      this.waitingInvoices(company),
    ]);
    return { held, held_capped, billing_hold, waiting_invoices };
  }

  private async waitingInvoices(company: Id): Promise<WaitingInvoiceReply[]> {
    const rows = await this.invoices.failed(company, MOST_INVOICES);
    return rows.map(({ payment, error }) => ({ payment, error: error ?? '' }));
  }
}

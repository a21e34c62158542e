import { Injectable } from '@nestjs/common';
import { SubscriptionStore } from '@commerce/billing';
import { PaymentStore } from '@commerce/payments';
import type { Caller } from '@commerce/data';
import { QueueReader } from '@commerce/jobs';

import type { OperationsReply } from './due-work.reply.js';
import { DueDeliveriesReader } from './due-deliveries-reader.js';
import { HoldReader } from './hold-reader.js';

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
    private readonly holds: HoldReader,
    private readonly queues: QueueReader,
  ) {}

  /** @param at the time by which work is due */
  async read({ company }: Caller, at: Date): Promise<OperationsReply> {
    const [billing, payments, { endpoints, ...deliveries }, held, dunning, queues] = await Promise.all([
      this.subscriptions.dueOf(company, at),
      this.payments.dueOf(company, at),
      this.deliveries.read(company, at),
      this.holds.read(company),
      this.subscriptions.owed(company),
      this.queues.standings(),
    ]);
    const work = [
      { work: 'billing' as const, ...billing },
      { work: 'payments' as const, ...payments },
      { work: 'deliveries' as const, ...deliveries },
    ];
    return { at, work, ...held, endpoints, dunning, queues };
  }
}

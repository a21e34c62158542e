import { Injectable } from '@nestjs/common';
import { SubscriptionStore } from '@commerce/billing';
import { DeliveryStore } from '@commerce/events';
import { PaymentStore } from '@commerce/payments';
import { DatabaseClock, type Caller } from '@commerce/data';
import { QueueReader } from '@commerce/jobs';

import type { OperationsReply } from './due-work.reply.js';

/**
 * Reads a company's due work from the dates on its records, the source of truth. The queues only show whether workers
 * reach their jobs.
 */
@Injectable()
export class DueWorkReader {
  constructor(
    private readonly subscriptions: SubscriptionStore,
    private readonly payments: PaymentStore,
    private readonly deliveries: DeliveryStore,
    private readonly queues: QueueReader,
    private readonly clock: DatabaseClock,
  ) {}

  async read({ company }: Caller): Promise<OperationsReply> {
    const at = await this.clock.now();
    const [billing, payments, deliveries, held, dunning, queues] = await Promise.all([
      this.subscriptions.dueOf(company, at),
      this.payments.dueOf(company, at),
      this.deliveries.dueOfCompany(company, at),
      this.subscriptions.heldIn(company),
      this.subscriptions.owed(company),
      this.queues.standings(),
    ]);
    const work = [
      { work: 'billing' as const, ...billing },
      { work: 'payments' as const, ...payments },
      { work: 'deliveries' as const, ...deliveries },
    ];
    return { at, work, dunning, held: held.length, queues };
  }
}

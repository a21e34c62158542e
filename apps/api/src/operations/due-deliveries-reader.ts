import { Injectable } from '@nestjs/common';
import { DeliveryStore, WebhookStore } from '@commerce/events';
import { groupById, type DueWork } from '@commerce/data';
import type { Id } from '@commerce/records';

import type { WaitingEndpointReply } from './due-work.reply.js';

/** Due deliveries by which the endpoints that they wait for are found. */
const MAX_READ = 1000;

const MAX_SHOWN = 5;

/** The due deliveries of a company, and the endpoints that they wait for. */
export interface DueDeliveries extends DueWork {
  readonly endpoints: WaitingEndpointReply[];
}

/** Reads how many deliveries are due, and for which endpoints. */
@Injectable()
export class DueDeliveriesReader {
  constructor(
    private readonly deliveries: DeliveryStore,
    private readonly webhooks: WebhookStore,
  ) {}

  async read(company: Id, now: Date): Promise<DueDeliveries> {
    const work = await this.deliveries.dueOfCompany(company, now);
    // Too many to count are too many to read.
    const isRead = work.due !== null && work.due > 0;
    return { ...work, endpoints: isRead ? await this.endpoints(company, now) : [] };
  }

  private async endpoints(company: Id, now: Date): Promise<WaitingEndpointReply[]> {
    const due = await this.deliveries.webhooksDueIn(company, now, MAX_READ);
    const most = groupById(due, (webhook) => webhook)
      .map(([webhook, all]) => ({ webhook, due: all.length }))
      .sort((a, b) => b.due - a.due)
      .slice(0, MAX_SHOWN);
    const found = await this.webhooks.in(company).byIds(most.map(({ webhook }) => webhook));
    return most.flatMap(({ webhook, due: count }) => {
      const record = found.get(webhook.toHexString());
      return record === undefined ? [] : [{ webhook, endpoint: record.endpoint, due: count }];
    });
  }
}

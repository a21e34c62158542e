import { Injectable } from '@nestjs/common';
import { PayLinks } from '@commerce/payments';
import { type Caller, type Page } from '@commerce/data';
import { copyWith, pageOf, rangeOf } from '@commerce/records';

import type { ListOrdersQuery } from '../orders/order.dto.js';
import type { OrderRecord } from '../orders/order.record.js';
import { OrderStore } from '../orders/order.store.js';

/** Reads the orders visible to a caller: their own for a user, all of the company for an admin. */
@Injectable()
export class OrderReader {
  constructor(
    private readonly store: OrderStore,
    private readonly links: PayLinks,
  ) {}

  async get(caller: Caller, id: string): Promise<OrderRecord> {
    return this.shown(caller, await this.store.for(caller).show(id));
  }

  async list(caller: Caller, query: ListOrdersQuery): Promise<Page<OrderRecord>> {
    const { user, status } = query;
    const filter = {
      ...(user === null ? {} : { user }),
      ...(status === null ? {} : { status }),
      ...rangeOf('amount', query.min_amount, query.max_amount),
    };
    const page = await this.store.for(caller).page(pageOf(query, filter));
    return { ...page, records: await Promise.all(page.records.map((order) => this.shown(caller, order))) };
  }

  /** For an admin, adds the link to send to a customer who has to authenticate. */
  async shown({ role }: Caller, order: OrderRecord): Promise<OrderRecord> {
    const { status, payment, company } = order;
    if (role !== 'admin' || status !== 'REQUIRES_AUTH' || payment === null) return order;
    const pay_url = await this.links.urlOf({ _id: payment, company });
    return copyWith(order, { pay_url });
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { OrderStore, type OrderRecord } from '@commerce/orders';
import { UnitsOfWork } from '@commerce/data';
import { CONFIG, type Config } from '@commerce/platform';

import type { Check } from './check.js';
import type { Finding } from './finding.js';
import type { Walk } from './walk.js';

/** An order whose customer has to authenticate has a date at which that ends, unless it was made while none was set. */
@Injectable()
export class OrdersCheck implements Check {
  constructor(
    private readonly orders: OrderStore,
    private readonly units: UnitsOfWork,
    @Inject(CONFIG) private readonly config: Pick<Config, 'orderAuthenticationMs'>,
  ) {}

  async *check(walk: Walk): AsyncGenerator<Finding> {
    if (this.config.orderAuthenticationMs === 0) return;
    const waiting = this.orders.in(walk.company).stream({ status: 'REQUIRES_AUTH' });
    for await (const order of walk.over(waiting)) if (isEndless(order)) yield this.finding(order);
  }

  private finding({ _id, company }: OrderRecord): Finding {
    const repair = (): Promise<unknown> =>
      this.units.change(this.orders.in(company), _id, (order) =>
        isEndless(order)
          ? { changes: { auth_due: new Date(order.updated.getTime() + this.config.orderAuthenticationMs) } }
          : null,
      );
    const detail = 'REQUIRES_AUTH, and nothing will give the payment up';
    return { kind: 'order.endless', id: _id.toHexString(), detail, repair };
  }
}

function isEndless({ status, auth_due }: OrderRecord): boolean {
  return status === 'REQUIRES_AUTH' && auth_due === null;
}

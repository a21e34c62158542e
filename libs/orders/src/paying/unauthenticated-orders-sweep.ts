import { Injectable } from '@nestjs/common';
import { RunsOnTestClocks, type ClockWork, type TestClockRecord } from '@commerce/identity';
import { DatabaseClock, UnitsOfWork } from '@commerce/data';
import { Sweeps } from '@commerce/jobs';

import { edgeFrom } from '../domain/order-lifecycle.js';
import { OrderStore, type OrderKey } from '../orders/order.store.js';
import { OrderPayments, type Abandoned } from './order-payments.js';

/** Orders checked in one pass. */
const PER_PASS = 200;

/** Abandons payments of orders that their customers have not authenticated in time. */
@Injectable()
@RunsOnTestClocks()
export class UnauthenticatedOrdersSweep implements ClockWork {
  constructor(
    private readonly store: OrderStore,
    private readonly payments: OrderPayments,
    private readonly units: UnitsOfWork,
    private readonly clock: DatabaseClock,
  ) {}

  @Sweeps('unauthenticated-orders', 5)
  async sweep(): Promise<void> {
    const now = this.clock.read();
    const failures: unknown[] = [];
    for (const order of await this.store.authDue(now, PER_PASS)) {
      try {
        await this.abandon(order, now);
      } catch (error) {
        failures.push(error);
      }
    }
    // A failure does not stop the check of other orders.
    if (failures.length > 0) throw new AggregateError(failures, 'orders could not be looked at');
  }

  async runUntil(clock: TestClockRecord, date: Date): Promise<void> {
    let found: number;
    do {
      const due = await this.store.authDueOn(clock, date, PER_PASS);
      for (const order of due) await this.abandon(order, order.auth_due ?? date);
      found = due.length;
    } while (found === PER_PASS);
  }

  /** @param now the customer's time */
  private async abandon({ company, _id }: OrderKey, now: Date): Promise<void> {
    const records = this.store.in(company);
    const { given } = await this.units.write(
      company,
      async (work): Promise<Abandoned> => {
        const order = await records.get(_id);
        if (order.auth_due === null || order.auth_due > now) return { order, given: null };
        const payment = await this.payments.current(order);
        const edge = payment?.status === 'REQUIRES_AUTH' ? edgeFrom(order.status, 'payment_failed') : null;
        if (edge === null) return { order: work.update(this.store, order, { auth_due: null }), given: null };
        return this.payments.abandon(work, { order, payment, code: 'authentication.expired', edge });
      },
      now,
    );
    if (given !== null) await this.payments.send(given);
  }
}

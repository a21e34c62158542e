import type { Id } from '@commerce/records';
import { idIn } from '@commerce/testing';
import type { mongo } from 'mongoose';

import type { ServiceProcesses } from '../processes.js';

export const SELLER = {
  name: 'Teehaus GmbH',
  address: { line1: 'Teestraße 1', country: 'DE' },
  invoice_prefix: 'R',
};

/** Pays orders of one customer for one product. */
export class TeaBuyer {
  private constructor(
    private readonly service: ServiceProcesses,
    private readonly order: object,
  ) {}

  static async in(service: ServiceProcesses): Promise<TeaBuyer> {
    const tea = { name: 'Tea', price: 11.9, vat: 0.19, currency: 'EUR', active: true };
    const product = idIn(await service.admin.made('/products', tea));
    const { user, method: payment_method } = await service.cardholder('pm_card_visa');
    return new TeaBuyer(service, { items: [{ product, quantity: 1 }], user, payment_method });
  }

  /** The id of a payment that has succeeded. */
  async paid(): Promise<string> {
    const order = await this.service.admin.made('/orders', this.order);
    return order.payment.$oid;
  }
}

/** The successes that have no document yet. */
export const waitingIn = (db: mongo.Db): Promise<number> => db.collection('invoices_due').countDocuments();

/** Expects one invoice of each of these payments, numbered in their order from 1 on, and one event of each invoice. */
export async function expectNumbered(db: mongo.Db, payments: readonly string[]): Promise<void> {
  const invoices = db.collection<{ payment: Id; place: number }>('invoices');
  const made = await invoices.find().sort('place', 1).toArray();
  expect(made.map(({ place }) => place)).toEqual(payments.map((_, index) => index + 1));
  expect(made.map(({ payment }) => payment.toHexString())).toEqual(payments);
  const events = await db.collection('events').find({ kind: 'invoice.created' }).toArray();
  const reported = events.map((one) => String(one['object_id']));
  expect(reported.sort()).toEqual(made.map(({ _id }) => String(_id)).sort());
}

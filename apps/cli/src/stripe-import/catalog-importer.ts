import { Injectable } from '@nestjs/common';
import { CreateProductBody, ProductStore, Products } from '@commerce/catalog';
import { CreateUserBody, UserStore, Users } from '@commerce/identity';
import { currencyProblem, isFault, toMajor } from '@commerce/kernel';
import { fromStripeAmount } from '@commerce/payments';
import { type Caller } from '@commerce/data';
import { parseBody, type Id } from '@commerce/records';

import { ServiceContext } from '../service-context.js';
import type { ImportReport } from './import-report.js';
import { importedId } from './imported-id.js';
import { objectsIn } from './stripe-file.js';
import { idOf, type StripeCustomer, type StripePrice, type StripeProduct } from './stripe-objects.js';

/** The imported parts of a Stripe product. The price is in major units. */
interface PricedProduct {
  name?: string;
  readonly currency: string;
  readonly price: number;
  /** The id of the price. */
  readonly from: string;
}

/** The state of a running import. */
export interface ImportRun {
  readonly caller: Caller;
  readonly report: ImportReport;
  readonly testClock: Id | null;
  readonly dryRun: boolean;
  readonly onObject: (done: number, what: string) => void;
  /** The customers of the export, each with the payment method of its invoices. */
  readonly customers: Map<string, string | null>;
  readonly products: Map<string, PricedProduct>;
}

/** Imports customers as users, and products. */
@Injectable()
export class CatalogImporter {
  constructor(private readonly service: ServiceContext) {}

  /** A product has one price here: its default price, or else its first. */
  async readPrices(path: string, { products, onObject }: ImportRun): Promise<void> {
    const defaults = new Set<string>();
    let done = 0;
    for await (const object of objectsIn(path)) {
      if (object.object === 'product') defaults.add(idOf(object.default_price) ?? '');
      if (object.object !== 'price') continue;
      const product = idOf(object.product);
      const priced = pricedBy(object);
      const known = product === null ? undefined : products.get(product);
      if (product !== null && priced !== null && (known === undefined || defaults.has(priced.from))) {
        products.set(product, priced);
      }
      onObject((done += 1), 'prices');
    }
  }

  async import(path: string, run: ImportRun): Promise<void> {
    let done = 0;
    for await (const object of objectsIn(path)) {
      if (object.object === 'customer') await this.customer(object, run);
      else if (object.object === 'product') await this.product(object, run);
      else continue;
      run.onObject((done += 1), 'customers and products');
    }
  }

  private async customer(from: StripeCustomer, run: ImportRun): Promise<void> {
    const { caller, report, dryRun, customers } = run;
    if (from.deleted === true) return;
    customers.set(from.id, idOf(from.invoice_settings?.default_payment_method));
    const _id = importedId(caller.company, 'customer', from.id);
    const store = (await this.service.get(UserStore)).in(caller.company);
    if ((await store.find(_id, { deleted: true })) !== null) {
      report.add('users', 'there');
      return;
    }
    if (!dryRun) await this.createUser(from, run);
    report.add('users', 'imported');
  }

  private async createUser(from: StripeCustomer, { caller, report, testClock }: ImportRun): Promise<void> {
    const users = await this.service.get(Users);
    const _id = importedId(caller.company, 'customer', from.id);
    const { name = null, email = null, metadata = {} } = from;
    const test_clock = testClock?.toHexString() ?? null;
    const given = { name, external_reference: from.id, metadata, test_clock };
    try {
      await users.create(caller, parseBody(CreateUserBody, { ...given, email }), _id);
    } catch (error) {
      if (!isFault(error)) throw error;
      // An invalid email, or one that another user has: the customer is imported without it.
      report.note(from.id, `imported without its email: ${error.message}`);
      await users.create(caller, parseBody(CreateUserBody, given), _id);
    }
  }

  private async product(from: StripeProduct, run: ImportRun): Promise<void> {
    const { caller, report, dryRun, products } = run;
    if (from.deleted === true) return;
    const priced = products.get(from.id);
    if (priced === undefined) {
      report.leave(from.id, 'it has no price with an amount');
      return;
    }
    priced.name = from.name;
    const _id = importedId(caller.company, 'product', from.id);
    const store = (await this.service.get(ProductStore)).in(caller.company);
    if ((await store.find(_id, { deleted: true })) !== null) {
      report.add('products', 'there');
      return;
    }
    if (!dryRun) {
      const body = parseBody(CreateProductBody, {
        name: from.name,
        description: from.description ?? '',
        active: from.active ?? true,
        external_reference: from.id,
        price: priced.price,
        currency: priced.currency,
      });
      await (await this.service.get(Products)).create(caller, body, _id);
    }
    report.add('products', 'imported');
  }
}

function pricedBy({ id, currency, unit_amount }: StripePrice): PricedProduct | null {
  const code = currency.toUpperCase();
  if (unit_amount === null || currencyProblem(code) !== null) return null;
  try {
    return { currency: code, price: toMajor(fromStripeAmount(unit_amount, code), code), from: id };
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

import { Injectable } from '@nestjs/common';
import { CreateProductBody, ProductStore, Products } from '@commerce/catalog';
import { CreateUserBody, UserStore, Users } from '@commerce/identity';
import { currencyProblem, isFault } from '@commerce/kernel';
import { type Caller } from '@commerce/data';
import { parseBody, type Id } from '@commerce/records';

import { ServiceContext } from '../service-context.js';
import { billingOf, customerOf, disprovedVatIds, type CarriedCustomer } from './customer-rules.js';
import type { ImportReport } from './import-report.js';
import { importedId } from './imported-id.js';
import { objectsIn } from './stripe-file.js';
import {
  idOf,
  readable,
  type StripeCoupon,
  type StripeCurrencyOptions,
  type StripeCustomer,
  type StripePrice,
  type StripeProduct,
} from './stripe-objects.js';
import { majorAmount } from './stripe-units.js';
import { judgeOf, type JudgedProduct } from './subscription-rules.js';

/** The imported parts of a Stripe product. The price is in major units. */
interface PricedProduct {
  readonly name: string;
  readonly currency: string;
}

interface AmountOfPrice {
  readonly currency: string;
  readonly price: number;
}

/** The prices of the export, which may lie before or after their products. */
interface ReadPrices {
  readonly amounts: Map<string, AmountOfPrice>;
  /** The id of the first price of each product. */
  readonly first: Map<string, string>;
  /** The amounts in other currencies of each price that has any. */
  readonly options: Map<string, StripeCurrencyOptions>;
}

/** The state of a running import. */
export interface ImportRun {
  readonly caller: Caller;
  readonly report: ImportReport;
  readonly testClock: Id | null;
  readonly dryRun: boolean;
  readonly onObject: (done: number, what: string) => void;
  readonly prices: ReadPrices;
  readonly coupons: Map<string, StripeCoupon>;
  /** The imported customers of the export. */
  readonly customers: Map<string, CarriedCustomer>;
  /** The products of the export, imported or not. */
  readonly judged: Map<string, JudgedProduct>;
  /** The imported products of the export. */
  readonly products: Map<string, PricedProduct>;
  /** The keys of the plans already processed. */
  readonly plans: Set<string>;
}

/** Imports customers as users, and products. */
@Injectable()
export class CatalogImporter {
  constructor(private readonly service: ServiceContext) {}

  /** Reads the prices and the coupons, of which the other objects may hold ids only. */
  async readPrices(path: string, { report, prices, coupons, onObject }: ImportRun): Promise<void> {
    let done = 0;
    for await (const object of objectsIn(path)) {
      if (object.object === 'price') await report.attempt(object, () => readPrice(object, prices));
      else if (object.object === 'coupon') coupons.set(object.id, object);
      else continue;
      onObject((done += 1), 'prices and coupons');
    }
  }

  async import(path: string, run: ImportRun): Promise<void> {
    let done = 0;
    for await (const object of objectsIn(path)) {
      if (object.object === 'customer') await run.report.attempt(object, () => this.customer(object, run));
      else if (object.object === 'product') await run.report.attempt(object, () => this.product(object, run));
      else continue;
      run.onObject((done += 1), 'customers and products');
    }
  }

  private async customer(from: StripeCustomer, run: ImportRun): Promise<void> {
    const { caller, report, customers } = run;
    if (from.deleted === true) return;
    const facts = readable(from, () => customerOf(from));
    if (typeof facts === 'string') {
      report.leave(from.id, facts);
      return;
    }
    const _id = importedId(caller.company, 'customer', from.id);
    const store = (await this.service.get(UserStore)).in(caller.company);
    const there = await store.find(_id, { deleted: true });
    if (there?.deleted === true) {
      report.leave(from.id, 'it was imported before, and deleted here');
      return;
    }
    if (there === null) await this.createUser(_id, from, run);
    for (const id of disprovedVatIds(from)) {
      report.note(from.id, `imported without its VAT id ${id}, which Stripe found in no register`);
    }
    customers.set(from.id, facts);
    report.add('users', there === null ? 'imported' : 'there');
  }

  private async createUser(_id: Id, from: StripeCustomer, run: ImportRun): Promise<void> {
    const { caller, report, testClock, dryRun } = run;
    const users = await this.service.get(Users);
    const { name = null, email = null, metadata = {} } = from;
    const test_clock = testClock?.toHexString() ?? null;
    const billing = billingOf(from);
    const given = { name, external_reference: from.id, metadata, test_clock, billing };
    // A fault of anything but the email leaves the customer at Stripe.
    const without = parseBody(CreateUserBody, given);
    try {
      const body = parseBody(CreateUserBody, { ...given, email });
      if (!dryRun) await users.create(caller, body, _id);
    } catch (error) {
      if (!isFault(error)) throw error;
      // An invalid email, or one that another user has: the customer is imported without it.
      if (!dryRun) await users.create(caller, without, _id);
      report.note(from.id, `imported without its email: ${error.message}`);
    }
  }

  private async product(from: StripeProduct, run: ImportRun): Promise<void> {
    const { caller, report, dryRun, products } = run;
    if (from.deleted === true) return;
    const judged = readable(from, () => judgeOf(from));
    if (typeof judged === 'string') {
      report.leave(from.id, judged);
      return;
    }
    run.judged.set(from.id, judged);
    const priced = amountOf(from, run.prices);
    if (priced === null) {
      report.leave(from.id, 'it has no price with an amount');
      return;
    }
    const body = parseBody(CreateProductBody, {
      name: from.name,
      description: from.description ?? '',
      active: from.active ?? true,
      external_reference: from.id,
      tax_supply: from.shippable === true ? 'goods' : null,
      price: priced.price,
      currency: priced.currency,
    });
    const _id = importedId(caller.company, 'product', from.id);
    const store = (await this.service.get(ProductStore)).in(caller.company);
    const there = await store.find(_id, { deleted: true });
    if (there?.deleted === true) {
      report.leave(from.id, 'it was imported before, and deleted here');
      return;
    }
    if (there === null && !dryRun) await (await this.service.get(Products)).create(caller, body, _id);
    products.set(from.id, { name: from.name, currency: priced.currency });
    report.add('products', there === null ? 'imported' : 'there');
  }
}

function readPrice(from: StripePrice, { amounts, first, options }: ReadPrices): void {
  if (from.currency_options !== undefined) options.set(from.id, from.currency_options);
  const product = idOf(from.product);
  const amount = pricedBy(from);
  if (product === null || amount === null) return;
  amounts.set(from.id, amount);
  if (!first.has(product)) first.set(product, from.id);
}

/** A product has one price here: its default price, or else its first. */
function amountOf(
  { id, default_price }: StripeProduct,
  { amounts, first }: ReadPrices,
): AmountOfPrice | null {
  return amounts.get(idOf(default_price) ?? '') ?? amounts.get(first.get(id) ?? '') ?? null;
}

function pricedBy({ currency, unit_amount }: StripePrice): AmountOfPrice | null {
  const code = currency.toUpperCase();
  if (unit_amount === null || currencyProblem(code) !== null) return null;
  const price = majorAmount(unit_amount, code);
  return typeof price === 'string' ? null : { currency: code, price };
}

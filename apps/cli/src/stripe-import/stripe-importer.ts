import { Injectable } from '@nestjs/common';
import { SubscriptionCreator, SubscriptionStore, type TakenOverSubscription } from '@commerce/billing';
import {
  BusinessClock,
  Companies,
  mustSayVat,
  taxSellerOf,
  UserStore,
  type UserRecord,
} from '@commerce/identity';
import { isFault } from '@commerce/kernel';
import {
  CreditStore,
  Credits,
  GrantCreditBody,
  PaymentMethodStore,
  PaymentMethods,
} from '@commerce/payments';
import { type Caller } from '@commerce/data';
import { parseBody, type Id } from '@commerce/records';

import { ServiceContext } from '../service-context.js';
import { CatalogImporter, type ImportRun } from './catalog-importer.js';
import { ImportReport } from './import-report.js';
import { importedId } from './imported-id.js';
import { objectsIn } from './stripe-file.js';
import { idOf, shapeProblem, type StripeSubscription } from './stripe-objects.js';
import { carryOver, type CarriedSubscription, type CarryContext } from './subscription-rules.js';
import { TermsImporter } from './terms-importer.js';

/** The options of an import. */
export interface ImportInput {
  readonly caller: Caller;
  readonly path: string;
  /** Puts the customers on this test clock, to preview their charges. */
  readonly testClock: Id | null;
  readonly dryRun: boolean;
  readonly onObject: (done: number, what: string) => void;
}

/**
 * Reads a Stripe export three times, because lists may come in any order, and keeps only ids and prices. A further run
 * continues where the last one ended and creates nothing twice.
 */
@Injectable()
export class StripeImporter {
  constructor(
    private readonly service: ServiceContext,
    private readonly catalog: CatalogImporter,
    private readonly terms: TermsImporter,
  ) {}

  async run({ caller, path, testClock, dryRun, onObject }: ImportInput): Promise<ImportReport> {
    const report = new ImportReport();
    const run: ImportRun = {
      caller,
      report,
      testClock,
      dryRun,
      onObject,
      coupons: new Map(),
      prices: { amounts: new Map(), first: new Map(), options: new Map() },
      customers: new Map(),
      products: new Map(),
      judged: new Map(),
      plans: new Set(),
    };
    await this.catalog.readPrices(path, run);
    await this.catalog.import(path, run);
    const context = await this.contextOf(run);
    await this.keepBalances(path, run, context);
    let done = 0;
    for await (const object of objectsIn(path)) {
      if (object.object !== 'subscription') continue;
      await report.attempt(object, () => this.subscription(object, run, context));
      onObject((done += 1), 'subscriptions');
    }
    return report;
  }

  private async contextOf({
    caller,
    testClock,
    customers,
    prices,
    coupons,
    judged,
  }: ImportRun): Promise<CarryContext> {
    const clock = await this.service.get(BusinessClock);
    const company = await (await this.service.get(Companies)).get(caller.company);
    return {
      now: await clock.referred(caller.company, testClock, 'test_clock'),
      ...{ customers, options: prices.options, coupons, products: judged },
      tax: {
        behavior: company.tax_behavior,
        seller: taxSellerOf(company),
        must_say_vat: mustSayVat(company),
      },
    };
  }

  private async subscription(from: StripeSubscription, run: ImportRun, context: CarryContext): Promise<void> {
    const { caller, report } = run;
    const store = await this.service.get(SubscriptionStore);
    const _id = importedId(caller.company, 'subscription', from.id);
    if ((await store.in(caller.company).find(_id, { deleted: true })) !== null) {
      await this.balance(idOf(from.customer), run);
      report.add('subscriptions', 'there');
      return;
    }
    const carried = carryOver(from, context);
    if (carried.kind === 'ended') report.ended += 1;
    if (carried.kind === 'left') carried.why.forEach((why) => report.leave(from.id, why));
    if (carried.kind !== 'carried') return;
    const { subscription } = carried;
    const user = await this.userOf(subscription.customer, run);
    if (user === null && !run.dryRun) {
      report.leave(from.id, `its customer ${subscription.customer} was imported before, and deleted here`);
      return;
    }
    const terms = await this.terms.import(subscription, run);
    if (terms === null) return;
    if (user !== null && !run.dryRun) await this.write(_id, subscription, user, terms, run);
    await this.balance(subscription.customer, run);
    if (subscription.payment_method === null) {
      report.note(from.id, 'it has no payment method: add one before its next date');
    }
    report.add('subscriptions', 'imported');
  }

  /**
   * Leaves the subscriptions of a customer at Stripe where one of them stays there: it goes on taking from the balance at
   * Stripe, which the others would take from here, too.
   */
  private async keepBalances(path: string, run: ImportRun, context: CarryContext): Promise<void> {
    const { caller, customers } = run;
    if (![...customers.values()].some(({ credits }) => credits.length > 0)) return;
    const store = (await this.service.get(SubscriptionStore)).in(caller.company);
    for await (const object of objectsIn(path)) {
      if (object.object !== 'subscription') continue;
      const id = idOf(object.customer) ?? '';
      const customer = customers.get(id);
      if (customer === undefined || customer.credits.length === 0) continue;
      const leaves = shapeProblem(object) !== null || carryOver(object, context).kind === 'left';
      if (!leaves) continue;
      if ((await store.find(importedId(caller.company, 'subscription', object.id))) !== null) continue;
      const why = 'its customer has a balance at Stripe, and a subscription that stays there';
      customers.set(id, { ...customer, credits: [], why: [...customer.why, why] });
    }
  }

  /** Credits the balance of a customer whose subscriptions are imported. */
  private async balance(id: string | null, run: ImportRun): Promise<void> {
    const { caller, report, dryRun, customers } = run;
    const customer = id ?? '';
    const known = customers.get(customer);
    if (known === undefined || known.credits.length === 0) return;
    const { credits } = known;
    // Once for all subscriptions of the customer.
    customers.set(customer, { ...known, credits: [] });
    const store = (await this.service.get(CreditStore)).in(caller.company);
    for (const credit of credits) {
      const { currency, amount } = credit;
      const _id = importedId(caller.company, 'credit', `${customer} ${currency}`);
      if ((await store.find(_id)) !== null) continue;
      const body = parseBody(GrantCreditBody, { ...credit, note: `Stripe ${customer}` });
      const user = importedId(caller.company, 'customer', customer);
      if (!dryRun) await (await this.service.get(Credits)).grant(caller, user, body, _id);
      const what = `its balance of ${String(amount)} ${currency} is credited here`;
      report.note(customer, `${what}: set it to 0 at Stripe`);
    }
  }

  private async write(
    _id: Id,
    { id, quantity, facts, customer, payment_method: method }: CarriedSubscription,
    user: UserRecord,
    terms: Pick<TakenOverSubscription, 'plan' | 'discount_terms'>,
    run: ImportRun,
  ): Promise<void> {
    const payment_method = method === null ? null : await this.card(id, user, customer, method, run);
    const given = { _id, user, ...terms, quantity, payment_method, note: `Stripe ${id}`, facts };
    await (await this.service.get(SubscriptionCreator)).import(run.caller, given);
  }

  /** Null when the provider does not know the card. */
  private async card(
    subscription: string,
    user: UserRecord,
    customer_id: string,
    method_id: string,
    { caller, report }: ImportRun,
  ): Promise<Id | null> {
    const methods = await this.service.get(PaymentMethods);
    const _id = importedId(caller.company, 'payment_method', method_id);
    const known = (await this.service.get(PaymentMethodStore)).in(caller.company);
    if ((await known.find(_id)) !== null) return _id;
    try {
      const adopted = await methods.adopt(user, _id, { customer_id, method_id });
      report.add('payment_methods', 'imported');
      return adopted._id;
    } catch (error) {
      if (!isFault(error, 'payment_method.unknown')) throw error;
      report.note(
        subscription,
        `its card ${method_id} is not with this account: add one before its next date`,
      );
      return null;
    }
  }

  private async userOf(customer: string, { caller }: ImportRun): Promise<UserRecord | null> {
    const users = (await this.service.get(UserStore)).in(caller.company);
    return users.find(importedId(caller.company, 'customer', customer));
  }
}

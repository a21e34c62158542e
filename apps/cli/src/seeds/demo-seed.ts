import { Injectable } from '@nestjs/common';
import { CreatePlanBody, PlanStore, Plans } from '@commerce/billing';
import {
  CouponStore,
  Coupons,
  CreateCouponBody,
  CreateProductBody,
  ProductStore,
  Products,
} from '@commerce/catalog';
import { CreateUserBody, Tokens, UserStore, Users } from '@commerce/identity';
import { CreateOrderBody, OrderCreator, OrderStore } from '@commerce/orders';
import {
  CreatePaymentMethodBody,
  PaymentMethodStore,
  PaymentMethods,
  UpdatePaymentMethodBody,
} from '@commerce/payments';
import { type Caller } from '@commerce/data';
import { parseBody, type Id } from '@commerce/records';

import { ServiceContext } from '../service-context.js';
import { DemoCompanySeed } from './demo-company-seed.js';
import type { DemoFile } from './demo-file.js';

/** The records of the demo company; ids as text. */
export interface Demo extends DemoFile {
  readonly user: string;
  readonly access_token: string;
  readonly product: string;
  readonly plan: string;
  readonly payment_method: string;
  readonly coupon: string;
  readonly order: string;
}

const EMAIL = 'demo@example.com';
const PRODUCT = 'demo-product';
const COUPON = 'WELCOME';
const PLAN = 'Demo plan, monthly';
/** A payment method of the provider's test mode that always succeeds. */
const CARD = 'pm_card_visa';

/** Creates a company to try the service with. A further run leaves existing records unchanged. */
@Injectable()
export class DemoSeed {
  constructor(
    private readonly service: ServiceContext,
    private readonly company: DemoCompanySeed,
  ) {}

  async seed(): Promise<Demo> {
    const { caller, keys } = await this.company.seed();
    const user = await this.user(caller);
    const product = await this.product(caller);
    const plan = await this.plan(caller, product);
    const method = await this.paymentMethod(caller, user);
    const coupon = await this.coupon(caller);
    const order = await this.order(caller, { user, product, method, coupon });
    const { access_token } = await (await this.service.get(Tokens)).issueTo(caller.company, user);
    return {
      ...keys,
      user: user.toHexString(),
      access_token,
      product: product.toHexString(),
      plan: plan.toHexString(),
      payment_method: method.toHexString(),
      coupon,
      order: order.toHexString(),
    };
  }

  private async user(caller: Caller): Promise<Id> {
    const store = await this.service.get(UserStore);
    const found = await store.in(caller.company).one({ email: EMAIL, deleted: false });
    if (found) return found._id;
    const body = parseBody(CreateUserBody, { name: 'Ada Demo', email: EMAIL });
    return (await (await this.service.get(Users)).create(caller, body))._id;
  }

  private async product(caller: Caller): Promise<Id> {
    const store = await this.service.get(ProductStore);
    const found = await store.in(caller.company).one({ external_reference: PRODUCT, deleted: false });
    if (found) return found._id;
    const body = parseBody(CreateProductBody, {
      name: 'Coffee of the month',
      description: 'A bag of freshly roasted coffee every month.',
      price: 30,
      currency: 'EUR',
      vat: 0.19,
      active: true,
      tags: ['coffee'],
      external_reference: PRODUCT,
    });
    return (await (await this.service.get(Products)).create(caller, body))._id;
  }

  private async plan(caller: Caller, product: Id): Promise<Id> {
    const store = await this.service.get(PlanStore);
    const found = await store.in(caller.company).one({ name: PLAN, deleted: false });
    if (found) return found._id;
    const body = parseBody(CreatePlanBody, {
      name: PLAN,
      currency: 'EUR',
      interval_unit: 'MONTH',
      items: [{ product: product.toHexString(), quantity: 1 }],
      prepay: true,
    });
    return (await (await this.service.get(Plans)).create(caller, body))._id;
  }

  /** Returns the code of a coupon. */
  private async coupon(caller: Caller): Promise<string> {
    const store = await this.service.get(CouponStore);
    if ((await store.byCode(caller.company, COUPON)) === null) {
      const body = parseBody(CreateCouponBody, { code: COUPON, name: 'Welcome', percent_off: 0.1 });
      await (await this.service.get(Coupons)).create(caller, body);
    }
    return COUPON;
  }

  /** Creates an order that is paid and uses the coupon. */
  private async order(
    caller: Caller,
    by: { user: Id; product: Id; method: Id; coupon: string },
  ): Promise<Id> {
    const store = await this.service.get(OrderStore);
    const found = await store.in(caller.company).one({ user: by.user, coupon: by.coupon });
    if (found) return found._id;
    const body = parseBody(CreateOrderBody, {
      items: [{ product: by.product.toHexString(), quantity: 2 }],
      coupon: by.coupon,
      user: by.user.toHexString(),
      payment_method: by.method.toHexString(),
    });
    const outcome = await (await this.service.get(OrderCreator)).create(caller, body);
    if (outcome.kind !== 'order') throw new Error('the order of the demo could not be paid');
    return outcome.order._id;
  }

  private async paymentMethod(caller: Caller, user: Id): Promise<Id> {
    const store = await this.service.get(PaymentMethodStore);
    const found = await store.in(caller.company).one({ user, status: 'ACTIVE', deleted: false });
    return found?._id ?? this.savedCard(caller, user);
  }

  /** Saves a card for a user, as a client of the API does. */
  async savedCard(caller: Caller, user: Id): Promise<Id> {
    const methods = await this.service.get(PaymentMethods);
    const empty = await methods.create(
      caller,
      parseBody(CreatePaymentMethodBody, { payment_method: methods.provider, user: user.toHexString() }),
    );
    const body = parseBody(UpdatePaymentMethodBody, { payment_method_id: CARD });
    return (await methods.update(caller, empty._id.toHexString(), body))._id;
  }
}

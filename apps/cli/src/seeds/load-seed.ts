import { Injectable } from '@nestjs/common';
import { CreateSubscriptionBody, SubscriptionCreator } from '@commerce/billing';
import { CreateProductBody, Products } from '@commerce/catalog';
import { CreateUserBody, Users } from '@commerce/identity';
import { CreateOrderBody, OrderCreator } from '@commerce/orders';
import { parseId, parseBody, type Caller, type Id } from '@commerce/platform';

import { Service } from '../service.js';
import { adminOf } from './demo-company.js';
import { DemoSeed, type Demo } from './demo-seed.js';

/** So many writes are under way at a time: enough to keep the database busy, few enough not to crowd others out. */
const ABREAST = 8;

/** Subscriptions that share one user. */
const PER_USER = 50;

const GOODS = ['kettle', 'grinder', 'scale', 'filter', 'cup', 'tamper', 'roaster', 'brush', 'jug', 'tray'];
const KINDS = [
  'steel',
  'copper',
  'oak',
  'glass',
  'travel',
  'classic',
  'double',
  'mini',
  'electric',
  'manual',
];

/** How many records of each kind are to be made. */
export interface LoadCounts {
  readonly products: number;
  readonly subscriptions: number;
  readonly orders: number;
}

export interface LoadReport extends LoadCounts {
  readonly company: string;
  readonly seconds: number;
}

type Progress = (done: number, of: number, what: string) => void;

/** Fills the demo company with many records, through the same services as the API. Every run adds more. */
@Injectable()
export class LoadSeed {
  constructor(
    private readonly service: Service,
    private readonly demo: DemoSeed,
  ) {}

  async seed(counts: LoadCounts, tell: Progress): Promise<LoadReport> {
    const started = performance.now();
    const demo = await this.demo.seed();
    const company = parseId(demo.company);
    const plan = parseId(demo.plan);
    if (company === null || plan === null) throw new Error('the demo names no ids');
    const caller = adminOf({ _id: company });
    await this.products(caller, counts.products, tell);
    await this.subscriptions(caller, plan, counts.subscriptions, tell);
    await this.orders(caller, demo, counts.orders, tell);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    return { company: demo.company, ...counts, seconds };
  }

  private async products(caller: Caller, count: number, tell: Progress): Promise<void> {
    const service = await this.service.get(Products);
    await abreast(count, 'products', tell, async (index) => {
      const name = `${pick(KINDS, index)} ${pick(GOODS, Math.floor(index / KINDS.length))} ${String(index)}`;
      const body = parseBody(CreateProductBody, {
        name,
        description: `The ${name} of this shop, in lot ${String(index % 97)}.`,
        price: 1 + (index % 500),
        currency: 'EUR',
        vat: 0.19,
        active: true,
        tags: [pick(KINDS, index), pick(GOODS, index)],
        properties: { lot: index % 97 },
      });
      await service.create(caller, body);
    });
  }

  /** On a plan that collects at once, each first payment is due when the subscription is made; workers charge it. */
  private async subscriptions(caller: Caller, plan: Id, count: number, tell: Progress): Promise<void> {
    const service = await this.service.get(SubscriptionCreator);
    const payers: { user: string; payment_method: string }[] = [];
    await abreast(Math.ceil(count / PER_USER), 'users', tell, async () => {
      payers.push(await this.payer(caller));
    });
    await abreast(count, 'subscriptions', tell, async (index) => {
      const payer = pick(payers, index);
      const given = { ...payer, plan: plan.toHexString(), start_now: true };
      await service.create(caller, parseBody(CreateSubscriptionBody, given));
    });
  }

  /** Every other one is paid at once, the others wait. */
  private async orders(
    caller: Caller,
    { user, product, payment_method, coupon }: Demo,
    count: number,
    tell: Progress,
  ): Promise<void> {
    const service = await this.service.get(OrderCreator);
    await abreast(count, 'orders', tell, async (index) => {
      const items = [{ product, quantity: 1 + (index % 5) }];
      const given = { user, items, coupon, ...(index % 2 === 0 ? { payment_method } : {}) };
      await service.create(caller, parseBody(CreateOrderBody, given));
    });
  }

  private async payer(caller: Caller): Promise<{ user: string; payment_method: string }> {
    const users = await this.service.get(Users);
    const user = await users.create(caller, parseBody(CreateUserBody, { name: 'Load' }));
    const method = await this.demo.savedCard(caller, user._id);
    return { user: user._id.toHexString(), payment_method: method.toHexString() };
  }
}

function pick<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

/** Does something `count` times, some of them at a time. */
async function abreast(
  count: number,
  what: string,
  tell: Progress,
  once: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let done = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      await once(index);
      done += 1;
      tell(done, count, what);
    }
  };
  await Promise.all(Array.from({ length: Math.min(ABREAST, count) }, lane));
}

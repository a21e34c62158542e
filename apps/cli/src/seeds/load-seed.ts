import { Injectable } from '@nestjs/common';
import { CreateSubscriptionBody, SubscriptionCreator } from '@commerce/billing';
import { CreateProductBody, Products } from '@commerce/catalog';
import { Companies, CreateUserBody, Users } from '@commerce/identity';
import { CreateOrderBody, OrderCreator } from '@commerce/orders';
import { type Caller } from '@commerce/data';
import { parseBody, parseId, type Id } from '@commerce/records';
import pMap from 'p-map';

import { adminOf } from '../admin-caller.js';
import type { Progress } from '../output/progress.js';
import { ServiceContext } from '../service-context.js';
import { DemoSeed, type Demo } from './demo-seed.js';

/** Concurrent writes: enough to keep the database busy, few enough to leave room for others. */
const CONCURRENCY = 8;

/** Subscriptions of one user. */
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

/** The number of records of each kind to create. */
export interface LoadCounts {
  readonly products: number;
  readonly subscriptions: number;
  readonly orders: number;
}

export interface LoadReport extends LoadCounts {
  readonly company: string;
  readonly seconds: number;
}

/** Fills the demo company with many records, through the same services as the API. Every run adds more. */
@Injectable()
export class LoadSeed {
  constructor(
    private readonly service: ServiceContext,
    private readonly demo: DemoSeed,
  ) {}

  async seed(counts: LoadCounts, onProgress: Progress): Promise<LoadReport> {
    const started = performance.now();
    const demo = await this.demo.seed();
    const company = parseId(demo.company);
    const plan = parseId(demo.plan);
    if (company === null || plan === null) throw new Error('the demo seed returned no ids');
    const caller = adminOf(await (await this.service.get(Companies)).get(company));
    await this.products(caller, counts.products, onProgress);
    await this.subscriptions(caller, plan, counts.subscriptions, onProgress);
    await this.orders(caller, demo, counts.orders, onProgress);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    return { company: demo.company, ...counts, seconds };
  }

  private async products(caller: Caller, count: number, onProgress: Progress): Promise<void> {
    const service = await this.service.get(Products);
    await makeMany(count, 'products', onProgress, async (index) => {
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

  /** The demo plan is prepaid: each first payment is due immediately, and workers charge it. */
  private async subscriptions(caller: Caller, plan: Id, count: number, onProgress: Progress): Promise<void> {
    const service = await this.service.get(SubscriptionCreator);
    const payers: { user: string; payment_method: string }[] = [];
    await makeMany(Math.ceil(count / PER_USER), 'users', onProgress, async () => {
      payers.push(await this.payer(caller));
    });
    await makeMany(count, 'subscriptions', onProgress, async (index) => {
      const payer = pick(payers, index);
      const given = { ...payer, plan: plan.toHexString(), start_now: true };
      await service.create(caller, parseBody(CreateSubscriptionBody, given));
    });
  }

  /** Pays every other order immediately and leaves the others waiting. */
  private async orders(
    caller: Caller,
    { user, product, payment_method, coupon }: Demo,
    count: number,
    onProgress: Progress,
  ): Promise<void> {
    const service = await this.service.get(OrderCreator);
    await makeMany(count, 'orders', onProgress, async (index) => {
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
  if (found === undefined) throw new Error('the list is empty');
  return found;
}

/** Creates `count` records, several concurrently. */
async function makeMany(
  count: number,
  what: string,
  onProgress: Progress,
  make: (index: number) => Promise<void>,
): Promise<void> {
  let done = 0;
  const makeOne = async (index: number): Promise<void> => {
    await make(index);
    done += 1;
    onProgress(done, count, what);
  };
  await pMap(Array(count).keys(), makeOne, { concurrency: CONCURRENCY });
}

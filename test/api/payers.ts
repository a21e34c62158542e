import { PaymentWriter, type PaymentDraft, type PaymentRecord } from '@commerce/payments';
import { UnitsOfWork } from '@commerce/data';
import { parseId } from '@commerce/records';
import { idIn } from '@commerce/testing';
import Stripe from 'stripe';
import supertest from 'supertest';

import type { World } from '../world.js';

export interface Payer {
  readonly id: string;
  readonly client: Awaited<ReturnType<World['user']>>['client'];
  readonly card: any;
}

/** Users with cards, and payments of theirs, opened by the services that payments belong to. */
export class Payers {
  private count = 0;

  constructor(private readonly world: World) {}

  async payer(name = 'pm_card_visa'): Promise<Payer> {
    const { id, client } = await this.world.user();
    const made = await client.made('/payment_methods', { payment_method: 'stripe' });
    const { body } = await client.put(`/payment_methods/${idIn(made)}`, { payment_method_id: name });
    return { id, client, card: body };
  }

  /** A committed payment that has not been sent yet. */
  async opened(by: Payer, change: Partial<PaymentDraft> = {}): Promise<PaymentRecord> {
    const { company } = this.world;
    return this.world.get(UnitsOfWork).write(company, (work) =>
      this.world.get(PaymentWriter).open(work, {
        company,
        user: parseId(by.id)!,
        subscription: null,
        order: null,
        kind: 'order',
        period_key: String((this.count += 1)),
        amount_minor: 10_000,
        currency: 'EUR',
        period_start: null,
        period_end: null,
        payment_method: parseId(idIn(by.card)),
        breakdown: { currency: 'EUR', amount: 100, parts: [] },
        off_session: true,
        test_clock: null,
        ...change,
      }),
    );
  }

  async charged(by: Payer, change: Partial<PaymentDraft> = {}): Promise<PaymentRecord> {
    return this.world.get(PaymentWriter).afterCommit(await this.opened(by, change));
  }

  /** Approves, as the bank, a payment that waits for its customer. */
  async approve(payment: PaymentRecord): Promise<void> {
    await supertest(this.world.sandbox.url)
      .post(`/authenticate/${payment.provider.intent_id!}`)
      .type('form')
      .send({ outcome: 'approve' });
  }

  get stripe(): Stripe {
    const { hostname: host, port } = new URL(this.world.sandbox.url);
    return new Stripe('sk_test_world', { host, port, protocol: 'http', maxNetworkRetries: 0 });
  }
}

/** The API path of a payment. */
export function at(payment: PaymentRecord): string {
  return `/payments/${payment._id.toHexString()}`;
}

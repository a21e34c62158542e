import { randomBytes } from 'node:crypto';

import { Injectable, Module, type INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { Test } from '@nestjs/testing';
import { Companies, IdentityModule, UserStore, type UserRecord } from '@commerce/identity';
import {
  OwnsPayments,
  PaymentMethods,
  PaymentStore,
  PaymentWriter,
  PaymentReader,
  Payments,
  PaymentsModule,
  Reconciler,
  type OwnerDecision,
  type PaymentDraft,
  type PaymentMethodRecord,
  type PaymentOwner,
  type PaymentRecord,
} from '@commerce/payments';
import { Database, DatabaseClock, UnitsOfWork, type Caller } from '@commerce/data';
import { SystemClock, openField } from '@commerce/platform';
import { ProcessModule } from '@commerce/process';
import { newId, type Id } from '@commerce/records';
import type { Connection } from 'mongoose';
import type Stripe from 'stripe';

import { withDatabase } from '../mongodb-uri.js';
import type { SandboxOptions } from '../../apps/sandbox/src/create-sandbox.js';
import { sandboxInProcess, type Sandbox } from './sandbox-harness.js';
import { Line, PushedClock } from './stripe-line.js';

export const WEBHOOK_SECRET = 'whsec_of_these_tests';

/** Follows payments as billing does, records the calls, and returns the decision that a test sets. */
@Injectable()
@OwnsPayments()
export class Follower implements PaymentOwner {
  readonly kind = 'subscription';
  readonly seen: string[] = [];
  answer: PaymentOwner['settled'] = () => Promise.resolve(null);

  async settled(...asked: Parameters<PaymentOwner['settled']>): Promise<OwnerDecision | null> {
    const [before, after] = asked;
    this.seen.push(`${before.status}>${after.status}`);
    return this.answer(...asked);
  }
}

@Module({ providers: [Follower] })
class FollowerModule {}

/** Payments on a real database, with the real SDK, against a sandbox in this process. */
export class PaymentsBench {
  private constructor(
    readonly app: INestApplicationContext,
    readonly sandbox: Sandbox,
    readonly line: Line,
    readonly clock: PushedClock,
    readonly company: Id,
  ) {}

  static async start(options: SandboxOptions = {}): Promise<PaymentsBench> {
    const clock = new PushedClock();
    const sandbox = await sandboxInProcess({
      now: () => clock.now().getTime(),
      // Late decisions of banks happen only when a test asks for them.
      settleAfterMs: 1_000_000_000,
      ...options,
    });
    const line = await Line.to(sandbox.port);
    Object.assign(process.env, settings(sandbox, line.url));
    const built = await Test.createTestingModule({
      imports: [ProcessModule.forServer(), IdentityModule, PaymentsModule, FollowerModule],
    })
      .overrideProvider(SystemClock)
      .useValue(clock)
      .overrideProvider(DatabaseClock)
      .useValue({ now: async () => clock.now(), read: () => clock.now() })
      .compile();
    await built.init();
    await built.get(Database).ensureIndexes();
    const { _id } = await built.get(Companies).create({ name: 'Test company' });
    return new PaymentsBench(built, sandbox, line, clock, _id);
  }

  get follower(): Follower {
    return this.app.get(Follower);
  }

  get writer(): PaymentWriter {
    return this.app.get(PaymentWriter);
  }

  get payments(): Payments {
    return this.app.get(Payments);
  }

  get reader(): PaymentReader {
    return this.app.get(PaymentReader);
  }

  get reconciler(): Reconciler {
    return this.app.get(Reconciler);
  }

  get admin(): Caller {
    return { company: this.company, mode: 'test', role: 'admin', user: null, credential: 'service' };
  }

  async stop(): Promise<void> {
    await this.app.get<Connection>(getConnectionToken()).dropDatabase();
    await this.app.close();
    this.line.close();
    await this.sandbox.close();
  }

  async user(): Promise<UserRecord> {
    return this.app.get(UnitsOfWork).create(this.app.get(UserStore), { company: this.company, name: 'Ada' });
  }

  as(user: UserRecord): Caller {
    return { company: this.company, mode: 'test', role: 'user', user: user._id, credential: 'token' };
  }

  /** A saved card of a user. */
  async card(name = 'pm_card_visa', user?: UserRecord): Promise<PaymentMethodRecord> {
    const owner = user ?? (await this.user());
    const methods = this.app.get(PaymentMethods);
    const made = await methods.create(this.as(owner), { payment_method: 'stripe', user: null });
    return methods.update(this.as(owner), made._id.toHexString(), { payment_method_id: name });
  }

  /** A committed payment that has not been sent, as after a crash. */
  async opened(card: PaymentMethodRecord, change: Partial<PaymentDraft> = {}): Promise<PaymentRecord> {
    const work = this.app.get(UnitsOfWork).begin(this.company, this.clock.now());
    const payment = await this.writer.open(work, {
      company: this.company,
      user: card.user,
      subscription: newId(),
      order: null,
      kind: 'period',
      period_key: '0',
      amount_minor: 10_000,
      currency: 'EUR',
      period_start: null,
      period_end: null,
      payment_method: card._id,
      breakdown: { currency: 'EUR', amount: 100, parts: [] },
      off_session: true,
      test_clock: null,
      ...change,
    });
    await work.commit();
    return payment;
  }

  /** Sends the request of the process that opened the payment, before that process dies. */
  async sentFor({
    _id,
    request,
    kind,
    period_key,
    subscription,
  }: PaymentRecord): Promise<Stripe.PaymentIntent> {
    return this.sandbox.stripe.paymentIntents.create(
      {
        amount: 10_000,
        currency: 'eur',
        customer: request!.customer_id,
        payment_method: request!.method_id,
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        confirm: true,
        off_session: true,
        metadata: {
          ...{ company: this.company.toHexString(), payment: _id.toHexString(), attempt: '1' },
          ...{ subscription: subscription!.toHexString(), kind, period_key },
        },
      },
      { idempotencyKey: `pay-${_id.toHexString()}` },
    );
  }

  async charged(card: PaymentMethodRecord, change: Partial<PaymentDraft> = {}): Promise<PaymentRecord> {
    return this.writer.afterCommit(await this.opened(card, change));
  }

  /** Opens one more attempt, as billing does. */
  async again(payment: PaymentRecord, card: PaymentMethodRecord | null): Promise<PaymentRecord> {
    const work = this.app.get(UnitsOfWork).begin(this.company, this.clock.now());
    const before = await this.read(payment);
    const after = await this.writer.attempt(work, before, card?._id ?? null, true);
    await work.commit();
    return this.writer.afterCommit(after);
  }

  async abandoned(payment: PaymentRecord): Promise<PaymentRecord> {
    const work = this.app.get(UnitsOfWork).begin(this.company, this.clock.now());
    const after = this.writer.abandon(work, await this.read(payment), 'not_authenticated', 'Nobody came');
    await work.commit();
    return after;
  }

  /** Pushes the clock until this payment is due, and checks it as a worker does. */
  async checked(payment: PaymentRecord): Promise<PaymentRecord> {
    const { check_at } = await this.read(payment);
    if (check_at === null) throw new Error('the payment is not to be looked at again');
    this.clock.push(Math.max(check_at.getTime() - this.clock.now().getTime(), 0) + 1);
    await this.reconciler.check(payment);
    return this.read(payment);
  }

  read(payment: PaymentRecord): Promise<PaymentRecord> {
    return this.app.get(PaymentStore).in(this.company).get(payment._id);
  }

  /** The amounts that the provider moved for a card's customer. */
  async ledger(
    card: PaymentMethodRecord,
  ): Promise<{ captured: number; refunded: number; charges: number; declined: number }> {
    const { body } = await this.sandbox.raw('GET', '/sandbox/ledger', { customer: card.customer_id ?? '' });
    return body.currencies.eur ?? { captured: 0, refunded: 0, charges: 0, declined: 0 };
  }

  /** Scripts the outcome of a customer's next charges or refunds. */
  async script(card: PaymentMethodRecord, fields: Record<string, string>): Promise<void> {
    const { status, text } = await this.sandbox.raw(
      'POST',
      `/sandbox/customers/${card.customer_id ?? ''}/behaviour`,
      fields,
    );
    if (status !== 200) throw new Error(text);
  }

  /** The bodies of a payment's events, in order. */
  async events(payment: PaymentRecord): Promise<any[]> {
    const rows = await this.app
      .get<Connection>(getConnectionToken())
      .collection('events')
      .find({ object_id: payment._id })
      .sort({ sequence: 1 })
      .toArray();
    return rows.map(({ _id, body }) => JSON.parse(openField(String(body), ['events', String(_id), 'body'])));
  }

  async kinds(payment: PaymentRecord): Promise<string[]> {
    return (await this.events(payment)).map(({ kind }) => kind);
  }
}

function settings(sandbox: Sandbox, apiBase: string): Record<string, string> {
  const { MONGODB_URI: mongodb, REDIS_URL: redis } = process.env;
  if (mongodb === undefined || redis === undefined) {
    throw new Error('MONGODB_URI and REDIS_URL are not set: run these tests by `npm test`');
  }
  return {
    NODE_ENV: 'test',
    SECRET_KEYS: 'ab'.repeat(32),
    MONGODB_URI: withDatabase(mongodb, `test_${randomBytes(6).toString('hex')}`),
    STRIPE_SECRET_KEY: sandbox.key,
    STRIPE_API_BASE: apiBase,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_TIMEOUT_MS: '700',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
  };
}

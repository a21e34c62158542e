import { randomBytes } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import type { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { Test } from '@nestjs/testing';
import { Companies, IdentityModule, UserRecord, UserStore } from '@commerce/identity';
import {
  Reconciler,
  Payments,
  PaymentMethods,
  PaymentOwners,
  PaymentStore,
  PaymentWriter,
  PaymentsModule,
  type PaymentDraft,
  type PaymentMethodRecord,
  type PaymentOwner,
  type PaymentRecord,
} from '@commerce/payments';
import {
  Database,
  PlatformModule,
  SystemClock,
  UnitsOfWork,
  makeRecord,
  newId,
  type Caller,
  type Id,
} from '@commerce/platform';
import type { Connection } from 'mongoose';

import type { SandboxOptions } from '../../apps/sandbox/src/create-sandbox.js';
import { sandboxInProcess, type Sandbox } from './sandbox-harness.js';

export const NOTICE_SECRET = 'whsec_of_these_tests';

/** A clock that goes on by itself and can be pushed ahead, for both sides. */
export class PushedClock {
  ahead = 0;

  now(): Date {
    return new Date(Date.now() + this.ahead);
  }

  push(ms: number): void {
    this.ahead += ms;
  }
}

/** The line to the sandbox, which can be cut. */
class Line {
  private readonly open = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    server.on('connection', (socket: Socket) =>
      this.open.add(socket.on('close', () => this.open.delete(socket))),
    );
  }

  static async to(port: number): Promise<Line> {
    const server = createServer((socket) => {
      if (line.isCut) return void socket.destroy();
      const on = connect(port, '127.0.0.1');
      socket.pipe(on).on('error', () => socket.destroy());
      on.pipe(socket).on('error', () => on.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const line: Line = new Line(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return line;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.open) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  close(): void {
    this.cut();
    this.server.close();
  }
}

/** Follows payments as billing does, and remembers what it was told. */
class Follower implements PaymentOwner {
  readonly seen: string[] = [];
  readonly finished: string[] = [];

  async settled(_work: unknown, before: PaymentRecord, after: PaymentRecord): Promise<() => Promise<void>> {
    const edge = `${before.status}>${after.status}`;
    return async () => {
      this.seen.push(edge);
      this.finished.push(after._id.toHexString());
    };
  }
}

/** Payments on a real database, with the real SDK, against a sandbox in this process. */
export class PaymentsBench {
  readonly follower = new Follower();

  private constructor(
    readonly app: INestApplicationContext,
    readonly sandbox: Sandbox,
    readonly line: Line,
    readonly clock: PushedClock,
    readonly company: Id,
  ) {
    this.app.get(PaymentOwners).register('subscription', this.follower);
  }

  static async start(options: SandboxOptions = {}): Promise<PaymentsBench> {
    const clock = new PushedClock();
    const sandbox = await sandboxInProcess({
      now: () => clock.now().getTime(),
      // What banks decide later is decided when a test says so.
      settleAfterMs: 1_000_000_000,
      ...options,
    });
    const line = await Line.to(sandbox.port);
    Object.assign(process.env, settings(sandbox, line.url));
    const built = await Test.createTestingModule({
      imports: [PlatformModule.forServer(), IdentityModule, PaymentsModule],
    })
      .overrideProvider(SystemClock)
      .useValue(clock)
      .compile();
    await built.init();
    await built.get(Database).ensureIndexes();
    const { _id } = await built.get(Companies).create({ name: 'Test company' });
    return new PaymentsBench(built, sandbox, line, clock, _id);
  }

  get payments(): PaymentWriter {
    return this.app.get(PaymentWriter);
  }

  get desk(): Payments {
    return this.app.get(Payments);
  }

  get janitor(): Reconciler {
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
    const now = this.clock.now();
    const work = this.app.get(UnitsOfWork).begin(this.company, now);
    const user = work.insert(
      this.app.get(UserStore),
      makeRecord(UserRecord, { company: this.company, name: 'Ada' }, now),
    );
    await work.commit();
    return user;
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

  /** A committed payment that nobody has sent yet, as after a crash. */
  async opened(card: PaymentMethodRecord, change: Partial<PaymentDraft> = {}): Promise<PaymentRecord> {
    const work = this.app.get(UnitsOfWork).begin(this.company, this.clock.now());
    const payment = await this.payments.open(work, {
      company: this.company,
      user: card.user,
      subscription: newId(),
      order: null,
      kind: 'period',
      slice: '0',
      amount_minor: 10_000,
      currency: 'EUR',
      period_start: null,
      period_end: null,
      payment_method: card._id,
      breakdown: {},
      off_session: true,
      test_clock: null,
      ...change,
    });
    await work.commit();
    return payment;
  }

  async charged(card: PaymentMethodRecord, change: Partial<PaymentDraft> = {}): Promise<PaymentRecord> {
    return this.payments.afterCommit(await this.opened(card, change));
  }

  /** One more attempt, as billing opens it. */
  async again(payment: PaymentRecord, card: PaymentMethodRecord | null): Promise<PaymentRecord> {
    const work = this.app.get(UnitsOfWork).begin(this.company, this.clock.now());
    const before = await this.read(payment);
    await this.payments.attempt(work, before, card?._id ?? null, true);
    await work.commit();
    return this.payments.afterCommit(payment);
  }

  async abandoned(payment: PaymentRecord): Promise<PaymentRecord> {
    const work = this.app.get(UnitsOfWork).begin(this.company, this.clock.now());
    const after = await this.payments.abandon(
      work,
      await this.read(payment),
      'not_authenticated',
      'Nobody came',
    );
    await work.commit();
    return after;
  }

  /** Lets so much time pass that this payment is due, and looks at it as a worker does. */
  async checked(payment: PaymentRecord): Promise<PaymentRecord> {
    const { check_at } = await this.read(payment);
    if (check_at === null) throw new Error('the payment is not to be looked at again');
    this.clock.push(Math.max(check_at.getTime() - this.clock.now().getTime(), 0) + 1);
    await this.janitor.check(payment._id);
    return this.read(payment);
  }

  read(payment: PaymentRecord): Promise<PaymentRecord> {
    return this.app.get(PaymentStore).in(this.company).get(payment._id);
  }

  /** What really happened to the money of a card's customer. */
  async ledger(
    card: PaymentMethodRecord,
  ): Promise<{ captured: number; refunded: number; charges: number; declined: number }> {
    const { body } = await this.sandbox.raw('GET', '/sandbox/ledger', { customer: card.customer_id ?? '' });
    return body.currencies.eur ?? { captured: 0, refunded: 0, charges: 0, declined: 0 };
  }

  /** Says how the next charges or refunds of a customer go. */
  async script(card: PaymentMethodRecord, fields: Record<string, string>): Promise<void> {
    const { status, text } = await this.sandbox.raw(
      'POST',
      `/sandbox/customers/${card.customer_id ?? ''}/behaviour`,
      fields,
    );
    if (status !== 200) throw new Error(text);
  }

  /** The bodies of the events about a payment, in order. */
  async events(payment: PaymentRecord): Promise<any[]> {
    const rows = await this.app
      .get<Connection>(getConnectionToken())
      .collection('events')
      .find({ object_id: payment._id })
      .sort({ sequence: 1 })
      .toArray();
    return rows.map(({ body }) => JSON.parse(String(body)));
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
  const database = new URL(mongodb);
  database.pathname = `/test_${randomBytes(6).toString('hex')}`;
  return {
    NODE_ENV: 'test',
    MONGODB_URI: database.href,
    STRIPE_SECRET_KEY: sandbox.key,
    STRIPE_API_BASE: apiBase,
    STRIPE_WEBHOOK_SECRET: NOTICE_SECRET,
    STRIPE_TIMEOUT_MS: '700',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
  };
}

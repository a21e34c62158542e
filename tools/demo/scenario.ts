import { eventually, type MerchantEndpoint } from '@commerce/testing';
import type { CommerceClient } from 'commerce-service-client';

import { Customer } from './customer.js';
import type { Payment, ShownPayment, Previewed } from './records.js';
import { day, money, type Screen } from './screen.js';

const KINDS = [
  'subscription.created',
  'subscription.activated',
  'subscription.non_renewing',
  'subscription.cancelled',
  'payment.succeeded',
  'payment.requires_auth',
  'order.created',
  'order.updated',
];

/** The longest that the demo waits for the worker before it reports a failure. */
const PATIENCE_MS = 30_000;

/** The parts of the running service that the scenario uses. */
export interface Stage {
  readonly client: CommerceClient;
  readonly endpoint: MerchantEndpoint;
  readonly screen: Screen;
  /** The card provider's address. */
  readonly provider: string;
}

/** The charges previewed before the subscription began and before its upgrade, and the actual ones. */
export interface Outcome {
  readonly expected: readonly Previewed[];
  readonly payments: readonly Payment[];
  /** The payment of the order, and its invoice as PDF. */
  readonly bought: Payment;
  readonly invoice: Uint8Array;
  readonly number: string;
}

const SELLER = {
  name: 'Roastery GmbH',
  address: { line1: 'Hafenstraße 12', postal_code: '20457', city: 'Hamburg', country: 'DE' },
  vat_id: 'DE136695976',
  email: 'books@roastery.example.com',
} as const;

const at = (date: string): Date => new Date(`${date}T09:00:00Z`);
const of = (id: string): { path: { id: string } } => ({ path: { id } });

/**
 * Half a year of one customer, on a test clock. Each method calls the running service and waits for its own work:
 * charges, refunds, messages to the merchant's endpoint.
 */
export class Scenario {
  private readonly customer: Customer;
  private date = '';
  /** The number of delivered messages already on the screen. */
  private shown = 0;
  private clock = '';
  private user = '';
  private plan = '';
  private expected: readonly Previewed[] = [];

  constructor(private readonly stage: Stage) {
    this.customer = new Customer(stage.provider);
  }

  async play(): Promise<Outcome> {
    await this.stage.endpoint.register(KINDS);
    await this.stage.endpoint.untilVerified();
    await this.begin('2026-01-31');
    const visa = await this.saveCard('pm_card_visa', 'a Visa card');
    const id = await this.subscribe(visa);
    await this.renew(id, '2026-02-28');
    await this.renew(id, '2026-03-31');
    const strict = await this.saveCard(
      'pm_card_authenticationRequired',
      'a card whose bank wants to see them',
    );
    await this.api.put('/subscriptions/{id}', { params: of(id), body: { payment_method: strict } });
    await this.renewWithCustomer(id, '2026-04-30');
    await this.api.put('/subscriptions/{id}', { params: of(id), body: { payment_method: visa } });
    await this.upgrade(id, '2026-05-10');
    await this.stop(id, '2026-05-15', '2026-05-31');
    const bought = await this.buy(visa);
    const invoice = await this.invoiceOf(bought);
    return { payments: await this.payments(id), expected: this.expected, bought, ...invoice };
  }

  private get api(): CommerceClient {
    return this.stage.client;
  }

  private async begin(date: string): Promise<void> {
    this.date = date;
    const clock = await this.api.post('/test_clocks', { body: { name: 'Demo', frozen_time: at(date) } });
    this.clock = clock._id;
    const ada = {
      ...{ name: 'Ada Lovelace', email: 'ada@example.com', test_clock: this.clock },
      billing: { address: { line1: 'Lange Reihe 7', postal_code: '20099', city: 'Hamburg', country: 'DE' } },
    };
    this.user = (await this.api.post('/users', { body: ada }))._id;
    await this.api.put('/company', { body: { seller: SELLER } });
    const coffee = { name: 'Coffee of the month', price: 29.9, currency: 'EUR', vat: 0.19, active: true };
    const product = await this.api.post('/products', { body: coffee });
    const plan = await this.api.post('/plans', {
      body: {
        name: 'Coffee, monthly',
        interval_unit: 'MONTH',
        items: [{ product: product._id, quantity: 1 }],
        setup_fee: 5,
        prepay: true,
      },
    });
    this.plan = plan._id;
    this.tell('The plan: 29.90 a month in advance, 5.00 once');
  }

  private async saveCard(card: string, name: string): Promise<string> {
    const empty = { payment_method: 'stripe', user: this.user };
    const { _id, setup_intent } = await this.api.post('/payment_methods', { body: empty });
    const saved = await this.customer.saveCard(setup_intent?.client_secret ?? '', card);
    const completed = { payment_method_id: saved.payment_method };
    await this.api.put('/payment_methods/{id}', { params: of(_id), body: completed });
    this.tell(`Ada saves ${name}`, { status: saved.authenticated ? 'authenticated' : '' });
    return _id;
  }

  private async subscribe(payment_method: string): Promise<string> {
    const body = { plan: this.plan, user: this.user, payment_method };
    this.expected = await this.api.post('/subscriptions/preview', { body: { ...body, count: 4 } });
    const created = await this.api.post('/subscriptions', { body: { ...body, start_now: true } });
    const id = created._id;
    this.tell('Ada subscribes', { status: created.status });
    const payment = await this.paymentNo(id, 1, 'SUCCEEDED');
    this.showPayment('The first month and the setup fee', payment);
    await this.heard('payment.succeeded', 1);
    return id;
  }

  /** Advances the clock; each charge has its due date. */
  private async renew(id: string, date: string): Promise<void> {
    const number = (await this.payments(id)).length + 1;
    await this.advance(date);
    const payment = await this.paymentNo(id, number, 'SUCCEEDED');
    const period = [payment.period_start, payment.period_end].map((date) => date && day(date)).join(' to ');
    this.showPayment(`Renewal: ${period}`, payment);
    await this.heard('payment.succeeded', number);
  }

  private async renewWithCustomer(id: string, date: string): Promise<void> {
    const number = (await this.payments(id)).length + 1;
    await this.advance(date);
    this.showPayment('Renewal: the bank wants Ada', await this.paymentNo(id, number, 'REQUIRES_AUTH'));
    await this.heard('payment.requires_auth', 1);
    const told = this.stage.endpoint.messages.find(({ kind }) => kind === 'payment.requires_auth');
    if (!told) throw new Error('The webhook payment.requires_auth did not come');
    const { _id, metadata } = told.object as ShownPayment;
    await this.customer.authenticate(metadata.intent_client_secret);
    this.tell("Ada says yes on her bank's page", { status: 'authenticated' });
    const payment = await this.api.post('/payments/{id}/confirm', {
      params: of(_id),
      body: {
        payment_intent_id: metadata.payment_intent_id,
        payment_client_secret: metadata.intent_client_secret,
      },
    });
    this.showPayment('The company confirms the payment', payment);
    await this.heard('payment.succeeded', number);
  }

  /** Takes effect as its charge succeeds: the rest of the month for two less that for one. */
  private async upgrade(id: string, date: string): Promise<void> {
    await this.advance(date);
    const number = (await this.payments(id)).length + 1;
    const body = { quantity: 2, collect: 'first' } as const;
    const { charges } = await this.api.post('/subscriptions/{id}/change/preview', { params: of(id), body });
    const [charge] = charges;
    if (charge !== undefined) this.expected = [...this.expected, charge];
    const { quantity } = await this.api.post('/subscriptions/{id}/change', { params: of(id), body });
    const payment = await this.paymentNo(id, number, 'SUCCEEDED');
    this.showPayment(`Upgrade: ${String(quantity)} bags for the rest of the month`, payment);
    await this.heard('payment.succeeded', number);
  }

  /** Stops in the middle of a paid month: the unused days are refunded at its end. */
  private async stop(id: string, date: string, end: string): Promise<void> {
    await this.advance(date);
    const stopped = await this.api.post('/subscriptions/{id}/stop', { params: of(id) });
    this.tell('Ada stops; the days she will not use:', {
      amount: money(stopped.prorate_amount),
      status: stopped.status,
    });
    await this.advance(end);
    const refunded = await this.until('the refund', async () => {
      const sum = (await this.payments(id)).reduce((all, one) => all + one.refunded_amount, 0);
      return Math.round((sum + stopped.prorate_amount) * 100) === 0 ? sum : 0;
    });
    this.tell('They are given back', { amount: money(-refunded), status: 'REFUNDED' });
    const { status } = await this.api.get('/subscriptions/{id}', { params: of(id) });
    this.tell('The subscription has ended', { status });
    await this.heard('subscription.cancelled', 1);
  }

  /** Orders a product once, with a discount of 10 %. */
  private async buy(payment_method: string): Promise<Payment> {
    const mug = { name: 'Mug', price: 12.5, currency: 'EUR', vat: 0.19, active: true };
    const product = await this.api.post('/products', { body: mug });
    // Ada's present is the time of her test clock.
    const coupon = { code: 'GOODBYE', percent_off: 0.1, max_redemptions: 1, starting_date: at(this.date) };
    await this.api.post('/coupons', { body: coupon });
    this.tell('A coupon: 10 % off, for one order');
    const order = await this.api.post('/orders', {
      body: {
        items: [{ product: product._id, quantity: 2 }],
        coupon: 'goodbye',
        user: this.user,
        payment_method,
      },
    });
    this.tell('Ada buys two mugs with it', {
      amount: money(order.amount, order.currency),
      status: order.status,
    });
    await this.heard('order.updated', 1);
    return this.api.get('/payments/{id}', { params: of(order.payment ?? '') });
  }

  /** The invoice, which a worker has numbered, as its customer gets it. */
  private async invoiceOf({ _id }: Payment): Promise<Pick<Outcome, 'invoice' | 'number'>> {
    const query = { payment: _id };
    const issued = await this.until('the invoice', async () => {
      const [one] = await this.api.get('/invoices', { params: { query } });
      return one;
    });
    const pdf = await this.api.get('/invoices/{id}.pdf', { params: of(issued._id) });
    this.tell(`Invoice ${issued.number}, with ${money(issued.tax, issued.currency)} of VAT`, {
      amount: money(issued.gross, issued.currency),
    });
    return { invoice: new Uint8Array(await pdf.arrayBuffer()), number: issued.number };
  }

  private async advance(date: string): Promise<void> {
    this.date = date;
    const params = of(this.clock);
    await this.api.post('/test_clocks/{id}/advance', { params, body: { frozen_time: at(date) } });
    const isReady = async (): Promise<boolean> =>
      (await this.api.get('/test_clocks/{id}', { params })).status === 'ready';
    await this.until('the test clock', isReady);
  }

  /** The payments, oldest first. */
  private payments(id: string): Promise<Payment[]> {
    const query = { sort: 'created', size: 100 } as const;
    return this.api.get('/subscriptions/{id}/payments', { params: { ...of(id), query } });
  }

  private paymentNo(id: string, number: number, status: string): Promise<Payment> {
    return this.until(`payment ${String(number)} to be ${status}`, async () => {
      const payment = (await this.payments(id))[number - 1];
      return payment?.status === status ? payment : undefined;
    });
  }

  /** Waits for deliveries and shows the new ones. */
  private async heard(kind: string, count: number): Promise<void> {
    const { messages } = this.stage.endpoint;
    const come = (): boolean => messages.filter((message) => message.kind === kind).length >= count;
    await this.until(`the webhook ${kind}`, come);
    for (const { kind: told, signed } of messages.slice(this.shown))
      this.stage.screen.detail(`webhook ${told}, both signatures`, signed);
    this.shown = messages.length;
  }

  /** Waits until a value is available, and returns it. */
  private async until<T>(what: string, find: () => T | Promise<T>): Promise<NonNullable<T>> {
    return (await eventually(find, Boolean, PATIENCE_MS, { what })) as NonNullable<T>;
  }

  private tell(text: string, shown: { amount?: string; status?: string } = {}): void {
    this.stage.screen.event({ date: this.date, text, ...shown });
  }

  private showPayment(text: string, { amount, currency, status }: Payment): void {
    this.tell(text, { amount: money(amount, currency), status });
  }
}

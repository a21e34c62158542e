import { createClient, idOf, until } from './client.mjs';
import { createCustomer } from './customer.mjs';
import { day, money } from './screen.mjs';

const at = (date) => Date.parse(`${date}T09:00:00Z`);

const KINDS = [
  'subscription.created',
  'subscription.activated',
  'subscription.non_renewing',
  'subscription.cancelled',
  'payment.succeeded',
  'payment.requires_auth',
];

/**
 * Half a year of one customer, on a test clock. Every line of it is a call to the running service, and what the
 * service then does of itself: charging, refunding, telling the merchant's endpoint.
 */
export class Story {
  constructor({ stack, keys, receiver, endpoint, screen }) {
    this.api = createClient(stack.uris.api, keys);
    this.customer = createCustomer(stack.env.STRIPE_API_BASE);
    Object.assign(this, { receiver, endpoint, screen, shown: 0 });
  }

  async play() {
    await this.listen();
    await this.begin('2026-01-31');
    const visa = await this.saveCard('pm_card_visa', 'a Visa card');
    const id = await this.subscribe(visa);
    await this.renew(id, '2026-02-28');
    await this.renew(id, '2026-03-31');
    const strict = await this.saveCard(
      'pm_card_authenticationRequired',
      'a card whose bank wants to see them',
    );
    await this.api.put(`/subscriptions/${id}`, { payment_method: strict });
    await this.renewWithCustomer(id, '2026-04-30');
    await this.stop(id, '2026-05-15', '2026-05-31');
    return { subscription: id, payments: await this.payments(id), expected: this.expected };
  }

  /** One webhook for each kind of event; the service asks each endpoint before it sends anything to it. */
  async listen() {
    for (const event_type of KINDS) {
      const webhook = await this.api.post('/webhooks', {
        event_type,
        endpoint: `${this.endpoint}/${event_type}`,
      });
      this.receiver.trust(webhook);
    }
    const verified = (list) => list.every((webhook) => webhook.verified);
    await until('the webhooks to be verified', () => this.api.get('/webhooks?size=100'), verified);
  }

  async begin(date) {
    this.date = date;
    const clock = await this.api.post('/test_clocks', { name: 'Demo', frozen_time: at(date) });
    this.clock = idOf(clock);
    const user = await this.api.post('/users', {
      name: 'Ada',
      email: 'ada@example.com',
      test_clock: this.clock,
    });
    this.user = idOf(user);
    const product = { name: 'Coffee of the month', price: 29.9, currency: 'EUR', vat: 0.19, active: true };
    const made = await this.api.post('/products', product);
    const plan = await this.api.post('/plans', {
      name: 'Coffee, monthly',
      interval_unit: 'MONTH',
      items: [{ product: idOf(made), quantity: 1 }],
      setup_fee: 5,
      prepay: true,
    });
    this.plan = idOf(plan);
    this.tell('The plan: 29.90 a month in advance, 5.00 once');
  }

  async saveCard(card, name) {
    const empty = await this.api.post('/payment_methods', { payment_method: 'stripe', user: this.user });
    const saved = await this.customer.saveCard(empty.setup_intent.client_secret, card);
    const method = await this.api.put(`/payment_methods/${idOf(empty)}`, {
      payment_method_id: saved.payment_method,
    });
    this.tell(`Ada saves ${name}`, { status: saved.authenticated ? 'authenticated' : '' });
    return idOf(method);
  }

  async subscribe(payment_method) {
    const body = { plan: this.plan, user: this.user, payment_method };
    this.expected = await this.api.post('/subscriptions/preview', { ...body, count: 4 });
    const subscription = await this.api.post('/subscriptions', { ...body, start_now: true });
    const id = idOf(subscription);
    this.tell('Ada subscribes', { status: subscription.status });
    const payment = await this.paymentNo(id, 1, 'SUCCEEDED');
    this.tellPayment('The first month and the setup fee', payment);
    await this.heard('payment.succeeded', 1);
    return id;
  }

  /** Time passes; what falls due is charged at its date. */
  async renew(id, date) {
    const number = (await this.payments(id)).length + 1;
    await this.advance(date);
    const payment = await this.paymentNo(id, number, 'SUCCEEDED');
    this.tellPayment(
      `Renewal: ${day(payment.period_start.$date)} to ${day(payment.period_end.$date)}`,
      payment,
    );
    await this.heard('payment.succeeded', number);
  }

  async renewWithCustomer(id, date) {
    const number = (await this.payments(id)).length + 1;
    await this.advance(date);
    this.tellPayment('Renewal: the bank wants Ada', await this.paymentNo(id, number, 'REQUIRES_AUTH'));
    await this.heard('payment.requires_auth', 1);
    const told = this.receiver.messages.find(({ kind }) => kind === 'payment.requires_auth');
    const { payment_intent_id, intent_client_secret } = told.object.metadata;
    await this.customer.authenticate(intent_client_secret);
    this.tell("Ada says yes on her bank's page", { status: 'authenticated' });
    const payment = await this.api.post(`/payments/${told.object._id}/confirm`, {
      payment_intent_id,
      payment_client_secret: intent_client_secret,
    });
    this.tellPayment('The company confirms the payment', payment);
    await this.heard('payment.succeeded', number);
  }

  /** Stopped in the middle of a month that is paid: the unused days go back at its end. */
  async stop(id, date, end) {
    await this.advance(date);
    const stopped = await this.api.post(`/subscriptions/${id}/stop`);
    this.tell('Ada stops; the days she will not use:', {
      amount: money(stopped.prorate_amount),
      status: stopped.status,
    });
    await this.advance(end);
    const refunded = (list) => list.some((payment) => payment.status === 'PARTIALLY_REFUNDED');
    const payments = await until('the refund', () => this.payments(id), refunded);
    const payment = payments.find((one) => one.refunded_amount > 0);
    this.tell('They are given back', { amount: money(-payment.refunded_amount), status: payment.status });
    const { status } = await this.api.get(`/subscriptions/${id}`);
    this.tell('The subscription has ended', { status });
    await this.heard('subscription.cancelled', 1);
  }

  async advance(date) {
    this.date = date;
    await this.api.post(`/test_clocks/${this.clock}/advance`, { frozen_time: at(date) });
    const ready = (clock) => clock.status === 'ready';
    await until('the test clock', () => this.api.get(`/test_clocks/${this.clock}`), ready);
  }

  payments(id) {
    return this.api.get(`/subscriptions/${id}/payments?sort=created&size=100`);
  }

  async paymentNo(id, number, status) {
    const there = (list) => list[number - 1]?.status === status;
    const list = await until(`payment ${number} to be ${status}`, () => this.payments(id), there);
    return list[number - 1];
  }

  /** Waits for deliveries and shows all that have come since. */
  async heard(kind, count) {
    const messages = () => this.receiver.messages;
    await until(
      `the webhook ${kind}`,
      messages,
      (all) => all.filter((one) => one.kind === kind).length >= count,
    );
    for (const { kind: told, hex, standard } of messages().slice(this.shown)) {
      this.screen.detail(`webhook ${told}, both signatures`, hex && standard);
    }
    this.shown = messages().length;
  }

  tell(text, { amount, status } = {}) {
    this.screen.event({ date: this.date, text, amount, status });
  }

  tellPayment(text, { amount, currency, status }) {
    this.tell(text, { amount: money(amount, currency), status });
  }
}

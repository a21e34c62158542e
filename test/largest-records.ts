import { Receiver, eventually, idIn } from '@commerce/testing';

import type { ServiceProcesses } from './processes.js';

/** The most products that the items of an order or a plan name. */
const PRODUCTS = 500;
const ITEMS = 100;
/** Records of each kind that has large ones, so that lists have work to do. */
const MANY = 10;
const COUPON = 'WORST';
const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);
const ADDRESS = { line1: 'Weg 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
const SELLER = { name: 'Shop', vat_id: 'DE136695976', email: 'shop@example.com', phone: '+49 30 901820' };

const long = (text: string): string => text.repeat(Math.ceil(256 / text.length)).slice(0, 256);

/** The largest records that a company can have of each kind. */
export class LargestRecords {
  user = '';
  card = '';
  /** Products that stand by themselves, and those that others have as parts. */
  readonly mains: string[] = [];
  readonly parts: string[] = [];
  /** Items that name as many products as an order or a plan may, all of them with VAT of their own. */
  readonly items: object[] = [];
  /** The id of a record by its noun. */
  readonly ids: Record<string, string> = {};

  private constructor(readonly service: ServiceProcesses) {}

  static async of(service: ServiceProcesses): Promise<LargestRecords> {
    const records = new LargestRecords(service);
    await records.fill();
    return records;
  }

  get order(): object {
    return { items: this.items, user: this.user, note: 'Ǆ'.repeat(8000), coupon: COUPON };
  }

  get plan(): object {
    const terms = { interval_unit: 'DAY', prepay: true, currency: 'EUR' };
    return { name: long('Plan'), ...terms, items: this.items };
  }

  get subscription(): object {
    const { user, card } = this;
    return { plan: this.ids['plan'], user, payment_method: card, start_now: true, coupon: COUPON };
  }

  /** The id of a new record. */
  async made(path: string, body?: object): Promise<string> {
    return idIn(await this.service.admin.made(path, body));
  }

  /** A subscription whose first period is paid. */
  async paidSubscription(): Promise<string> {
    const id = await this.made('/subscriptions', this.subscription);
    await this.until(`/subscriptions/${id}/payments`, ([payment]) => payment?.status === 'SUCCEEDED');
    return id;
  }

  async paidOrder(): Promise<string> {
    return this.made('/orders', { ...this.order, payment_method: this.card });
  }

  async emptyMethod(): Promise<string> {
    return this.made('/payment_methods', { payment_method: 'stripe', user: this.user });
  }

  /** An order whose customer must authenticate its payment: the payment, as its customer gets it. */
  async authentication(): Promise<any> {
    const { user, method } = await this.service.cardholder('pm_card_authenticationRequired');
    const { admin } = this.service;
    const asked = { ...this.order, user, payment_method: method, off_session: false };
    return (await admin.post('/orders', asked)).body;
  }

  async image(): Promise<string> {
    const { baseUrl, headers } = this.service.admin;
    const form = new FormData();
    form.set('file', new Blob([Uint8Array.from(IMAGE)]), 'one.png');
    const reply = await fetch(`${baseUrl}/images`, { method: 'POST', headers, body: form });
    return idIn((await reply.json()) as any);
  }

  private async fill(): Promise<void> {
    const { admin } = this.service;
    await admin.changed('/company', { seller: { ...SELLER, address: ADDRESS } });
    const billing = { company: 'Ada & Co', address: ADDRESS };
    const { user, method } = await this.service.cardholder('pm_card_visa', { billing });
    Object.assign(this, { user, card: method });
    await this.fillCatalog();
    await this.fillBilling();
    await this.fillEvents();
  }

  private async fillCatalog(): Promise<void> {
    const attributes = Array.from({ length: 100 }, (_, n) => ({
      key: `key${String(n)}`,
      kind: 'string',
    }));
    this.ids['template'] = await this.made('/templates', { name: 'Shoes', model: 'Product', attributes });
    await this.fillProducts(attributes.map(({ key }) => key));
    this.ids['product'] = this.mains[0]!;
    this.ids['image'] = await this.image();
    const coupon = { percent_off: 0.1, duration: 'FOREVER', products: this.mains, code: COUPON };
    this.ids['coupon'] = await this.made('/coupons', { ...coupon, max_redemptions_per_user: 1000 });
    const van = { name: 'Van', description: 'dé '.repeat(5000), user: this.user };
    this.ids['resource'] = await this.made('/resources', van);
    this.ids['user'] = this.user;
    this.ids['payment_method'] = this.card;
    this.ids['test_clock'] = await this.made('/test_clocks', { frozen_time: 1_900_000_000_000 });
    this.ids['key'] = await this.made('/keys', { kind: 'api' });
  }

  private async fillProducts(attributes: readonly string[]): Promise<void> {
    const values = (n: number, name: string): object => ({
      ...{ price: 10 + n, currency: 'EUR', active: true, discount: 0.03, tags: ['one', 'two'] },
      name: long(`${name} ${String(n)} wörd`),
      vat: n / 1000,
    });
    const parts = async (n: number): Promise<string[]> => {
      const made: string[] = [];
      for (let part = 1; part < PRODUCTS / ITEMS; part += 1)
        made.push(await this.made('/products', { ...values(n + 100 * part, 'Cup'), main_product: false }));
      return made;
    };
    const large = {
      description: 'dé '.repeat(1000),
      properties: { text: 'x'.repeat(38 * 1024) },
      attributes: Object.fromEntries(attributes.map((key) => [key, 'x'.repeat(16)])),
    };
    for (let n = 0; n < ITEMS; n += 1) {
      const main = await this.made('/products', { ...values(n, 'Kettle'), ...large });
      const sub_products = await parts(n);
      await this.service.admin.changed(`/products/${main}/sub_products`, { add: sub_products });
      this.mains.push(main);
      this.parts.push(...sub_products);
      this.items.push({ product: main, sub_products, quantity: 3, discount: 0.07 });
    }
  }

  private async fillBilling(): Promise<void> {
    for (let n = 0; n < MANY; n += 1) {
      this.ids['plan'] = await this.made('/plans', this.plan);
      this.ids['order'] = await this.paidOrder();
      this.ids['subscription'] = await this.made('/subscriptions', this.subscription);
    }
    const paid = await this.until('/payments?status=SUCCEEDED&size=100', (all) => all.length >= MANY);
    const invoices = await this.until('/invoices?size=100', (all) => all.length >= MANY);
    this.ids['payment'] = idIn(paid[0]);
    this.ids['invoice'] = idIn(invoices[0]);
    for (let n = 0; n < 120; n += 1) {
      const credit = { amount: 1, currency: 'EUR', note: long('note ') };
      await this.service.admin.made(`/users/${this.user}/credits`, credit);
    }
  }

  private async fillEvents(): Promise<void> {
    const receiver = await Receiver.start();
    this.service.receivers.push(receiver);
    this.ids['webhook'] = await this.webhook();
    await this.service.admin.changed(`/orders/${this.ids['order'] ?? ''}`, { note: 'changed' });
    const path = `/webhooks/${this.ids['webhook']}/deliveries`;
    const [delivery] = await this.until(path, ([one]) => one?.status === 'SUCCEEDED');
    this.ids['delivery'] = idIn(delivery);
    const [event] = await this.service.admin.read('/events?newest=true&kind=order.updated');
    this.ids['event'] = event.id;
  }

  /** A webhook whose endpoint is verified. */
  async webhook(): Promise<string> {
    const endpoint = this.service.receivers[0]?.url;
    return this.made('/webhooks', { kinds: ['order.updated'], endpoint });
  }

  private until(path: string, holds: (all: any[]) => boolean): Promise<any[]> {
    return eventually(() => this.service.admin.read(path), holds, 60_000);
  }
}

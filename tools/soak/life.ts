import { eventually, idIn, type Client } from '@commerce/testing';
import pMap from 'p-map';

const DAY_MS = 86_400_000;
const MONTH = 31;
/** The longest that a simulated day may take before the run fails. */
const PATIENCE_MS = 60_000;
const AT_ONCE = 4;

/** The cards of the customers of a month; every fourth is refused when it is charged. */
const CARDS = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_visa', 'pm_card_chargeCustomerFail'];
const CUSTOMERS = 8;

interface Identified {
  readonly _id: { readonly $oid: string };
}

interface Customer {
  readonly user: string;
  readonly method: string;
}

/** The company's catalogue, created once and used throughout. */
interface Shop {
  readonly products: readonly string[];
  readonly plans: readonly string[];
}

/**
 * Consecutive months of a company's life, each on its own test clock with new customers who subscribe, are billed
 * daily, weekly and monthly, buy things and leave. Each day the company reads its lists, changes its products and reads
 * the new entries of its log.
 */
export class Life {
  days = 0;
  private shop: Shop = { products: [], plans: [] };
  private customers: readonly Customer[] = [];
  private clock = '';
  private today = 0;
  private lastEvent: string | null = null;

  constructor(private readonly api: Client) {}

  async begin(): Promise<void> {
    const products = await this.makeAll('/products', 20, (index) => ({
      name: `Blend ${String(index)}`,
      price: 5 + index,
      currency: 'EUR',
      vat: 0.19,
      active: true,
    }));
    const [product = ''] = products;
    const units = ['DAY', 'WEEK', 'MONTH'];
    const plans = await this.makeAll('/plans', units.length, (index) => ({
      name: `By ${String(units[index])}`,
      interval_unit: units[index],
      items: [{ product, quantity: 1 }],
      prepay: true,
    }));
    this.shop = { products, plans };
  }

  /** Runs the next day, and starts a new month when one is over. */
  async live(): Promise<void> {
    if (this.days % MONTH === 0) await this.beginMonth();
    this.today += DAY_MS;
    await this.api.made(`/test_clocks/${this.clock}/advance`, { frozen_time: this.today });
    await Promise.all([this.look(), this.trade(), this.catchUp()]);
    const state = (): Promise<{ status: string }> => this.api.read(`/test_clocks/${this.clock}`);
    await eventually(state, ({ status }) => status === 'ready', PATIENCE_MS, { what: 'the test clock' });
    this.days += 1;
  }

  private async beginMonth(): Promise<void> {
    // The clock of the last month stays where it is; it has no work left.
    this.today = Date.UTC(2026, 0, 1, 9);
    this.clock = await this.make('/test_clocks', { name: 'Month', frozen_time: this.today });
    this.customers = await pMap(
      Array.from({ length: CUSTOMERS }, (_, index) => index),
      (index) => this.welcome(index),
      { concurrency: AT_ONCE },
    );
  }

  private async welcome(index: number): Promise<Customer> {
    const { plans } = this.shop;
    const user = await this.make('/users', { name: `Customer ${String(index)}`, test_clock: this.clock });
    const method = await this.make('/payment_methods', { payment_method: 'stripe', user });
    await this.api.changed(`/payment_methods/${method}`, { payment_method_id: CARDS[index % CARDS.length] });
    const plan = plans[index % plans.length];
    const body = { plan, user, payment_method: method };
    await this.api.made('/subscriptions/preview', { ...body, count: 4 });
    await this.api.made('/subscriptions', { ...body, start_now: true });
    return { user, method };
  }

  /** Reads the lists that a console and a shop's pages read. */
  private async look(): Promise<void> {
    const lists = ['/products', '/subscriptions', '/users', '/orders', '/plans', '/webhooks'];
    await pMap(lists, (path) => this.api.read(path, { size: 20 }), { concurrency: AT_ONCE });
    const { products } = this.shop;
    await pMap(products, (id) => this.api.read(`/products/${id}`), { concurrency: AT_ONCE });
    await this.api.get('/products/nothing');
    await this.api.post('/users', { no_such_field: 1 });
  }

  private async trade(): Promise<void> {
    const { products } = this.shop;
    const product = products[this.days % products.length];
    await this.api.changed(`/products/${String(product)}`, { price: 5 + (this.days % 20) });
    const customer = this.customers[this.days % this.customers.length];
    if (customer === undefined) return;
    const order = { items: [{ product, quantity: 2 }], user: customer.user, payment_method: customer.method };
    const idempotent = this.api.with({ 'idempotency-key': `order-${String(this.days)}` });
    const { status } = await idempotent.post('/orders', order);
    if (status >= 300 && status !== 402) throw new Error(`POST /orders answered ${String(status)}`);
  }

  private async catchUp(): Promise<void> {
    for (;;) {
      const after: Record<string, string> = this.lastEvent === null ? {} : { after: this.lastEvent };
      const events = await this.api.read<{ id: string }[]>('/events', { size: 100, ...after });
      this.lastEvent = events.at(-1)?.id ?? this.lastEvent;
      if (events.length < 100) return;
    }
  }

  private makeAll(path: string, count: number, body: (index: number) => object): Promise<string[]> {
    const all = Array.from({ length: count }, (_, index) => index);
    return pMap(all, (index) => this.make(path, body(index)), { concurrency: AT_ONCE });
  }

  private async make(path: string, body: object): Promise<string> {
    return idIn(await this.api.made<Identified>(path, body));
  }
}

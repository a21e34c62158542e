import {
  Subscriber,
  eventually,
  idIn,
  providerCharges,
  type Client,
  type MerchantEndpoint,
} from '@commerce/testing';

/** The longest that the worker may take to finish everything. */
const PATIENCE_MS = 180_000;

interface Payment {
  readonly _id: { readonly $oid: string };
  readonly status: string;
}

/** Customers of one company, who subscribe one after the other, and the company's messages about them. */
export class Customers {
  private readonly subscriptions: string[] = [];

  private constructor(
    private readonly api: Client,
    private readonly endpoint: MerchantEndpoint,
    private readonly subscriber: Subscriber,
  ) {}

  static async of(api: Client, endpoint: MerchantEndpoint): Promise<Customers> {
    await endpoint.register(['payment.succeeded']);
    await endpoint.untilVerified();
    return new Customers(api, endpoint, await Subscriber.start(api));
  }

  /** Subscribes this many customers; the disturbance begins after the first third. */
  async subscribe(count: number, disturb: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    let disturbed: Promise<void> | undefined;
    for (let number = 0; number < count; number += 1) {
      if (number >= count / 3) disturbed ??= disturb();
      const { subscription } = await this.subscriber.subscribe(`Customer ${String(number)}`);
      this.subscriptions.push(subscription);
    }
    await disturbed;
  }

  /**
   * Waits until each subscription has a payment, and the company a signed message for it.
   * @returns the errors in words
   */
  async settle(provider: { readonly url: string; readonly secretKey: string }): Promise<string[]> {
    const payments: string[] = [];
    for (const id of this.subscriptions) payments.push(...(await this.paymentsOf(id)));
    await eventually(
      () => payments.filter((id) => !this.told().has(id)),
      (missing) => missing.length === 0,
      PATIENCE_MS,
      { what: 'signed messages about all payments', pauseMs: () => 500 },
    );
    const charges = await providerCharges(provider.url, provider.secretKey);
    const subscribed = `${String(this.subscriptions.length)} subscriptions`;
    return [
      ...(payments.length === this.subscriptions.length
        ? []
        : [`${subscribed} have ${String(payments.length)} payments`]),
      ...(charges.length === this.subscriptions.length
        ? []
        : [`the provider charged ${String(charges.length)} times for ${subscribed}`]),
    ];
  }

  /** The payments with a message whose two signatures are valid. */
  private told(): Set<string> {
    const signed = this.endpoint.messages.filter((message) => message.signed);
    return new Set(signed.map(({ object }) => (object as { _id: string })._id));
  }

  private async paymentsOf(id: string): Promise<string[]> {
    const payments = await eventually(
      () => this.api.read<Payment[]>(`/subscriptions/${id}/payments`, { size: 100 }),
      (found) => found.length > 0 && found.every(({ status }) => status === 'SUCCEEDED'),
      PATIENCE_MS,
      { what: `the payment of subscription ${id}`, pauseMs: () => 500 },
    );
    return payments.map(idIn);
  }
}

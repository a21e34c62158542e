import { Injectable } from '@nestjs/common';
import {
  Companies,
  UserStore,
  taxBuyerOf,
  taxSellerOf,
  type CompanyRecord,
  type TaxedUser,
} from '@commerce/identity';
import {
  contradictsTax,
  groupByTax,
  type TaxBuyer,
  type TaxSeller,
  type TaxShare,
  type VatLine,
} from '@commerce/kernel';
import { distinctIds, type Id } from '@commerce/records';

import type { PaymentRecord } from '../payments/payment.record.js';
import { PaymentMethodStore } from './payment-method.store.js';

/** A customer, and the payment method that is charged. */
export interface TaxedPayer {
  readonly user: TaxedUser | null | undefined;
  readonly payment_method: Id | null;
}

/** The ids of both; a subscription, for instance. */
export interface NamedPayer {
  readonly user?: Id;
  readonly payment_method?: Id | null;
}

/** The parties to a sale; no seller where rates are set by hand. */
export interface TaxParties {
  readonly settings: CompanyRecord;
  readonly seller: TaxSeller | null;
  readonly buyer: TaxBuyer;
}

/** A payment, as it was priced. */
type PricedPayment = Pick<PaymentRecord, 'company' | 'user' | 'breakdown' | 'created'>;

/** The buyers by whom tax is decided, with the countries of their cards where these are evidence. */
@Injectable()
export class TaxBuyerReader {
  constructor(
    private readonly companies: Companies,
    private readonly users: UserStore,
    private readonly methods: PaymentMethodStore,
  ) {}

  async read(company: Id, payer: TaxedPayer): Promise<TaxBuyer> {
    return (await this.buyersOf(company, [payer]))(payer);
  }

  async partiesOf(company: Id, payer: TaxedPayer): Promise<TaxParties> {
    const [settings, buyer] = await Promise.all([this.companies.get(company), this.read(company, payer)]);
    return { settings, buyer, seller: taxSellerOf(settings) };
  }

  /** The buyers that these ids name; one without a user counts as one of the seller's country. */
  async named(company: Id, named: readonly NamedPayer[]): Promise<(one: NamedPayer) => TaxBuyer> {
    const ids = named.flatMap(({ user }) => (user === undefined ? [] : [user]));
    const parts = ['billing', 'billing_unconfirmed'] as const;
    const users = await this.users.in(company).partsByIds(distinctIds(ids), parts);
    const payerOf = ({ user, payment_method = null }: NamedPayer): TaxedPayer => ({
      user: user === undefined ? null : users.get(user.toHexString()),
      payment_method,
    });
    const buyers = await this.buyersOf(company, named.map(payerOf));
    return (one) => buyers(payerOf(one));
  }

  /**
   * Whether a payment method may not pay this payment: the country of its card contradicts the address by which the tax
   * was decided, and has a higher rate.
   */
  async isContradicted(
    { company, user, breakdown, created }: PricedPayment,
    payment_method: Id,
  ): Promise<boolean> {
    const charged = taxesOf(breakdown);
    const seller = charged.length === 0 ? null : taxSellerOf(await this.companies.get(company));
    if (seller === null) return false;
    const payer = { user, payment_method };
    const buyer = (await this.named(company, [payer]))(payer);
    return charged.some((one) => contradictsTax(seller, buyer, one, created));
  }

  /** Reads cards in at most one query, and none where every country is given or confirmed by an admin. */
  private async buyersOf(
    company: Id,
    payers: readonly TaxedPayer[],
  ): Promise<(payer: TaxedPayer) => TaxBuyer> {
    const asked = payers.filter(({ user }) => user?.billing_unconfirmed.includes('country') === true);
    const ids = distinctIds(asked.flatMap(({ payment_method: id }) => (id === null ? [] : [id])));
    const cards = ids.length === 0 ? null : await this.methods.in(company).partsByIds(ids, ['country']);
    return ({ user, payment_method: id }) => {
      const card = id === null ? undefined : cards?.get(id.toHexString());
      return taxBuyerOf(user, card?.country ?? null);
    };
  }
}

/** The decided rates of what a payment charges, above what it gives back at the same rate. */
function taxesOf(breakdown: object): TaxShare[] {
  const { parts = [] } = breakdown as { readonly parts?: readonly { readonly vat?: readonly VatLine[] }[] };
  const lines = parts.flatMap(({ vat = [] }) => vat);
  const shares = groupByTax(
    lines.map(({ rate, tax, gross: weight }) => ({ rate, weight, ...(tax && { tax }) })),
  );
  return shares.filter(({ tax, weight }) => tax !== undefined && weight > 0);
}

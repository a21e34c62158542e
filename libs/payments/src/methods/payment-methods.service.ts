import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Users, type UserRecord } from '@commerce/identity';
import { fault, fieldFault, isFault } from '@commerce/kernel';
import { UnitsOfWork, type Caller, type Page } from '@commerce/data';
import { copyWith, makeRecord, newId, pageOf, type Id } from '@commerce/records';

import { GENERIC_DECLINE } from '../showing/decline-reason.js';
import type { ClientLibrary } from '../provider/card-provider.js';
import { CardSetup } from './card-setup.js';
import type { PayByCardBody } from './saved-card.dto.js';
import { UsesPaymentMethods } from './payment-method-usage.js';
import { PaymentMethodRecord } from './payment-method.record.js';
import { PaymentMethodStore } from './payment-method.store.js';
import type {
  CreatePaymentMethodBody,
  DeletePaymentMethodQuery,
  ListPaymentMethodsQuery,
  UpdatePaymentMethodBody,
} from './payment-methods.dto.js';

/** A payment method that can be charged, by the provider's ids. */
export interface UsableMethod {
  readonly customer_id: string;
  readonly method_id: string;
}

/** The cards that users saved. */
@Injectable()
export class PaymentMethods {
  constructor(
    private readonly store: PaymentMethodStore,
    private readonly cards: CardSetup,
    private readonly users: Users,
    private readonly discovery: DiscoveryService,
    private readonly units: UnitsOfWork,
  ) {}

  /** The provider behind all payment methods. */
  get provider(): string {
    return this.cards.provider;
  }

  /** The minimum charge in a currency, in minor units; 0 where there is none. */
  minimumCharge(currency: string): number {
    return this.cards.minimumCharge(currency);
  }

  /** The settings with which a browser lets customers of this company save a card; null where they cannot. */
  library(company: Id, testClock: Id | null): Promise<ClientLibrary | null> {
    return this.cards.library(company, testClock);
  }

  /**
   * Creates an empty payment method, with the secret by which the provider's library saves a card in it.
   * @param opened_for the payment on whose page the customer asks for it
   */
  async create(
    caller: Caller,
    body: CreatePaymentMethodBody,
    opened_for: Id | null = null,
  ): Promise<PaymentMethodRecord> {
    const payment_method = body.payment_method.toLowerCase();
    if (payment_method !== this.provider) {
      const message = `payment_method must name a card payment provider: ${this.provider}`;
      throw fieldFault('payment_method', message, 'payment_method.provider_unknown');
    }
    const user = await this.users.forRequest(caller, body.user);
    const _id = newId();
    const method = await this.units.create(this.store, {
      _id,
      company: caller.company,
      user: user._id,
      payment_method,
      opened_for,
      created_by: caller.role === 'admin' ? 'admin' : 'user',
      ...(await this.cards.openSetup(user, _id)),
    });
    return withSetupSecret(method, caller);
  }

  /**
   * Fills an empty payment method that a link names: no link writes to another one, or to one that has a card.
   * Repeating the request returns the record.
   * @param isNamed whether the link names this payment method
   * @throws Fault `payment_method.unknown`, `payment_method.state_conflict`; as `update`
   */
  async fillByLink(
    customer: Caller,
    { payment_method, payment_method_id }: PayByCardBody,
    isNamed: (method: PaymentMethodRecord) => boolean,
  ): Promise<PaymentMethodRecord> {
    const method = await this.store.for(customer).find(payment_method);
    if (method === null || !isNamed(method)) {
      const message = 'payment_method is not that of this link';
      throw fieldFault('payment_method', message, 'payment_method.unknown');
    }
    if (method.status !== 'ACTIVE')
      return this.update(customer, method._id.toHexString(), { payment_method_id });
    if (method.payment_method_id === payment_method_id) return method;
    throw fault('payment_method.state_conflict', 'A card is already saved here');
  }

  /** Fills a payment method with the card that the provider's library saved. */
  async update(caller: Caller, id: string, body: UpdatePaymentMethodBody): Promise<PaymentMethodRecord> {
    const own = this.store.for(caller);
    const given = body.payment_method_id;
    if (given === null) throw fieldFault('payment_method_id', 'payment_method_id must not be null');
    const card = given === undefined ? {} : await this.card(caller, await own.get(id), given);
    return this.units.write(caller.company, async (work) => {
      const before = await own.get(id);
      const first = await this.firstChoice(before);
      const wanted = body.default ?? (given !== undefined && first === null ? true : before.default);
      const after = work.update(this.store, before, { ...card, default: wanted });
      if (wanted && first !== null && !first._id.equals(before._id))
        work.update(this.store, first, { default: false });
      return after;
    });
  }

  /**
   * Imports a card that the provider has already saved for a customer of its own, who represents this user from now on.
   * Idempotent.
   * @throws Fault as for `update`, where the provider does not know the card, or it is another customer's
   */
  async adopt(user: UserRecord, _id: Id, given: UsableMethod): Promise<PaymentMethodRecord> {
    const { company } = user;
    const known = await this.store.in(company).find(_id, { deleted: true });
    if (known !== null) return known;
    const { customer_id, method_id } = given;
    const owner = makeRecord(PaymentMethodRecord, { company, user: user._id, customer_id }, user.created);
    const card = await this.card({ role: 'admin' }, owner, method_id);
    await this.cards.adopt(user, customer_id);
    const isFirst = (await this.firstChoice(owner)) === null;
    const values = { _id, company, user: user._id, payment_method: this.provider, customer_id, ...card };
    return this.units.create(this.store, { ...values, created_by: 'admin', default: isFirst });
  }

  async get(caller: Caller, id: string): Promise<PaymentMethodRecord> {
    return withSetupSecret(await this.store.for(caller).show(id), caller);
  }

  async list(caller: Caller, query: ListPaymentMethodsQuery): Promise<Page<PaymentMethodRecord>> {
    const asked = query.user === null ? {} : { user: query.user };
    return this.store.for(caller).page(pageOf(query, { ...asked, deleted: false }));
  }

  /**
   * Deletes a payment method. Subscriptions that charge it must be given another one.
   * @throws Fault `payment_method.in_use` where it would still be charged; as `referred` for the replacement
   */
  async delete(caller: Caller, id: string, query: DeletePaymentMethodQuery): Promise<PaymentMethodRecord> {
    const method = await this.store.for(caller).get(id);
    const { company, user, _id } = method;
    const usages = UsesPaymentMethods.in(this.discovery);
    if (query.replacement !== null) {
      const other = await this.referred(company, user, query.replacement, 'replacement');
      if (other._id.equals(_id)) throw notTheirs('replacement');
      for (const usage of usages) await usage.replace(company, _id, other._id);
    }
    const uses = await Promise.all(usages.map((usage) => usage.uses(company, _id)));
    if (uses.includes(true)) {
      const message = 'A live subscription uses this payment method; name another one for it';
      throw fault('payment_method.in_use', message);
    }
    const deleted = await this.units.change(this.store.for(caller), _id, () => ({
      changes: { deleted: true, default: false },
    }));
    await this.forget(deleted);
    return deleted;
  }

  /** The provider's ids of a chargeable payment method of this user; null when `id` is none. */
  async usable(company: Id, user: Id, id: Id | null): Promise<UsableMethod | null> {
    const method = id === null ? null : await this.store.loader.find(company, id);
    if (!method?.user.equals(user)) return null;
    const { payment_method_id: method_id, customer_id, status } = method;
    return status === 'ACTIVE' && method_id !== null && customer_id !== null
      ? { customer_id, method_id }
      : null;
  }

  /**
   * The payment method that a request names in the field `path`.
   * @throws Fault `payment_method.unknown` naming the field, also for another user's; `payment_method.incomplete` for
   * one without a saved card
   */
  async referred(company: Id, user: Id, id: Id, path: string): Promise<PaymentMethodRecord> {
    const method = await this.store.in(company).referred(id, path);
    if (!method.user.equals(user)) throw notTheirs(path);
    if (method.status === 'ACTIVE') return method;
    throw fieldFault(path, `${path} has no card yet`, 'payment_method.incomplete');
  }

  private async card(
    { role }: Pick<Caller, 'role'>,
    method: PaymentMethodRecord,
    methodId: string,
  ): Promise<Partial<PaymentMethodRecord>> {
    if (method.customer_id === null)
      throw fault('payment_method.state_conflict', 'This payment method has no owner');
    const taken = await this.cards
      .take(method.company, methodId, method.customer_id)
      .catch((error: unknown) => {
        throw role === 'user' ? withoutReason(error) : error;
      });
    const { type, brand, last4, exp_month, exp_year, country } = taken;
    const card = { type, brand, last4, exp_month, exp_year, country };
    return { ...card, payment_method_id: taken.method_id, status: 'ACTIVE', setup_secret: null };
  }

  /** Removes the card of a deleted payment method at the provider, unless another one has the same card. */
  private async forget({ company, payment_method_id }: PaymentMethodRecord): Promise<void> {
    if (payment_method_id === null) return;
    const other = await this.store.in(company).one({ payment_method_id, deleted: false });
    if (other === null) await this.cards.forget(company, payment_method_id);
  }

  private async firstChoice({ company, user }: PaymentMethodRecord): Promise<PaymentMethodRecord | null> {
    return this.store.in(company).one({ user, default: true, deleted: false });
  }
}

/** The record with its setup secret, where the card is not saved yet and the caller has the role that created it. */
function withSetupSecret(method: PaymentMethodRecord, caller: Caller): PaymentMethodRecord {
  if (method.setup_secret === null || method.created_by !== caller.role || method.deleted) return method;
  const setup_intent = { client_secret: method.setup_secret };
  return copyWith(method, { setup_intent });
}

/** Hides from customers why their card was declined. */
function withoutReason(error: unknown): unknown {
  if (!isFault(error, 'payment_method.declined')) return error;
  const { code: reason, message } = GENERIC_DECLINE;
  const errors = [{ path: 'payment_method_id', code: error.code, message }];
  return fault(error.code, message, { reason, errors });
}

function notTheirs(path: string): Error {
  const message = `${path} is not the id of a payment method of this user`;
  return fieldFault(path, message, 'payment_method.unknown');
}

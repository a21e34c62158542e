import { Injectable } from '@nestjs/common';
import { fault, fieldFault } from '@commerce/kernel';
import {
  SystemClock,
  UnitsOfWork,
  retryOnConflict,
  newId,
  makeRecord,
  ownerOnly,
  readPage,
  type Caller,
  type Id,
  type Page,
  type RawQuery,
} from '@commerce/platform';

import { CardSetup } from './card-setup.js';
import { idFilter } from '../payments/list-filters.js';
import { PaymentMethodRecord } from './payment-method.record.js';
import { PaymentMethodStore } from './payment-method.store.js';
import type { CreatePaymentMethodBody, UpdatePaymentMethodBody } from './payment-methods.bodies.js';
import { PayingUsers } from './paying-users.service.js';

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
    private readonly vault: CardSetup,
    private readonly paying: PayingUsers,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
  ) {}

  /** The provider behind all payment methods. */
  get provider(): string {
    return this.vault.provides;
  }

  /** An empty payment method, with the secret by which the provider's library saves a card in it. */
  async create(caller: Caller, body: CreatePaymentMethodBody): Promise<PaymentMethodRecord> {
    const provider = body.payment_method.toLowerCase();
    if (provider !== this.provider) {
      const message = `payment_method must name a card payment provider: ${this.provider}`;
      throw fieldFault('payment_method', message, 'payment_method.provider_unknown');
    }
    const user = await this.paying.of(caller, body.user);
    const _id = newId();
    const setup = await this.vault.openSetup(user, _id);
    const created_by = caller.role === 'admin' ? 'admin' : 'user';
    const now = this.clock.now();
    const values = {
      _id,
      company: caller.company,
      user: user._id,
      payment_method: provider,
      created_by,
      ...setup,
    } as const;
    const work = this.units.begin(caller.company, now);
    const method = work.insert(this.store, makeRecord(PaymentMethodRecord, values, now));
    await work.commit();
    return withSetupSecret(method, caller);
  }

  /** Fills a payment method with the card that the provider's library saved. */
  async update(caller: Caller, id: string, body: UpdatePaymentMethodBody): Promise<PaymentMethodRecord> {
    const found = await this.reach(caller, id);
    const given = body.payment_method_id;
    if (given === null) throw fieldFault('payment_method_id', 'payment_method_id must not be null');
    const card = given === undefined ? {} : await this.card(found, given);
    return retryOnConflict(async () => {
      const before = await this.reach(caller, id);
      const first = await this.firstChoice(before);
      const wanted = body.default ?? (given !== undefined && first === null ? true : before.default);
      const work = this.units.begin(caller.company, this.clock.now());
      const after = work.update(this.store, before, { ...card, default: wanted });
      if (wanted && first !== null && !first._id.equals(before._id))
        work.update(this.store, first, { default: false });
      await work.commit();
      return after;
    });
  }

  async get(caller: Caller, id: string): Promise<PaymentMethodRecord> {
    return withSetupSecret(await this.reach(caller, id, caller.role === 'admin'), caller);
  }

  async list(caller: Caller, raw: RawQuery): Promise<Page<PaymentMethodRecord>> {
    const query = readPage(raw, {
      sortable: ['created', 'updated'],
      sort: '-created',
      dates: { created: 'created', updated: 'updated' },
      others: ['user'],
    });
    const filter = { ...idFilter(caller, raw, ['user']), ...query.filter, deleted: false };
    return this.store.in(caller.company).page({ ...query, filter });
  }

  /** Deletes it. What still uses it must be told another one, by `replacement`. */
  async delete(caller: Caller, id: string, raw: RawQuery): Promise<PaymentMethodRecord> {
    const method = await this.reach(caller, id);
    const replacement = raw['replacement'];
    if (replacement !== undefined) await this.replace(caller, method, replacement);
    if (await this.paying.use(method)) {
      throw fault(
        'payment_method.in_use',
        'A live subscription uses this payment method; name another one for it',
      );
    }
    const deleted = await retryOnConflict(async () => {
      const before = await this.reach(caller, id);
      const work = this.units.begin(caller.company, this.clock.now());
      const after = work.update(this.store, before, { deleted: true, default: false });
      await work.commit();
      return after;
    });
    if (deleted.payment_method_id !== null) await this.vault.forget(deleted.payment_method_id);
    return deleted;
  }

  /** The provider's ids of a payment method of this user that can be charged; null when it is none. */
  async usable(company: Id, user: Id, id: Id | null): Promise<UsableMethod | null> {
    const method = id === null ? null : await this.store.in(company).find(id);
    if (!method?.user.equals(user)) return null;
    const { payment_method_id: method_id, customer_id, status } = method;
    return status === 'ACTIVE' && method_id !== null && customer_id !== null
      ? { customer_id, method_id }
      : null;
  }

  /**
   * For ids in the body of another request. Throws `payment_method.unknown` naming the field, also for somebody
   * else's, and `payment_method.incomplete` for one that no card was saved in yet.
   */
  async referred(company: Id, user: Id, id: Id, path: string): Promise<PaymentMethodRecord> {
    const method = await this.store.in(company).referred(id, path);
    if (!method.user.equals(user)) throw notTheirs(path);
    if (method.status === 'ACTIVE') return method;
    throw fieldFault(path, `${path} has no card yet`, 'payment_method.incomplete');
  }

  private async card(method: PaymentMethodRecord, methodId: string): Promise<Partial<PaymentMethodRecord>> {
    if (method.customer_id === null)
      throw fault('payment_method.state_conflict', 'This payment method has no owner');
    const taken = await this.vault.take(methodId, method.customer_id);
    const { type, brand, last4, exp_month, exp_year, country } = taken;
    const card = { type, brand, last4, exp_month, exp_year, country };
    return { ...card, payment_method_id: taken.method_id, status: 'ACTIVE', setup_secret: null };
  }

  private async firstChoice({ company, user }: PaymentMethodRecord): Promise<PaymentMethodRecord | null> {
    return this.store.in(company).one({ user, default: true, deleted: false });
  }

  private async replace(caller: Caller, method: PaymentMethodRecord, by: unknown): Promise<void> {
    const other = typeof by === 'string' ? await this.store.in(caller.company).find(by) : null;
    const fits =
      other?.status === 'ACTIVE' && other.user.equals(method.user) && !other._id.equals(method._id);
    if (!fits) throw notTheirs('replacement');
    await this.paying.replace(method, other._id);
  }

  /** The record, where the caller may see it at all. */
  private async reach(caller: Caller, id: string, deleted = false): Promise<PaymentMethodRecord> {
    const method = await this.store.in(caller.company).get(id, { deleted });
    const only = ownerOnly(caller);
    if (only === null || method.user.equals(only)) return method;
    throw fault('payment_method.not_found', 'There is no payment method with this id');
  }
}

/** The record with its setup secret, where the card is not saved yet and the caller is of the kind that asked for it. */
function withSetupSecret(method: PaymentMethodRecord, caller: Caller): PaymentMethodRecord {
  if (method.setup_secret === null || method.created_by !== caller.role || method.deleted) return method;
  const setup_intent = { client_secret: method.setup_secret };
  return Object.assign(Object.create(PaymentMethodRecord.prototype) as PaymentMethodRecord, method, {
    setup_intent,
  });
}

function notTheirs(path: string): Error {
  const message = `${path} is not the id of a payment method of this user`;
  return fault('payment_method.unknown', message, {
    errors: [{ path, code: 'payment_method.unknown', message }],
  });
}

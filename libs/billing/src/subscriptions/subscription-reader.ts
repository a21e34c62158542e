import { Injectable } from '@nestjs/common';
import { fault, fieldFault } from '@commerce/kernel';
import {
  parseId,
  ownerOnly,
  readPage,
  type Caller,
  type Filter,
  type Id,
  type Page,
  type PageRules,
  type RawQuery,
} from '@commerce/platform';

import { SUBSCRIPTION_STATUSES } from '../domain/lifecycle/subscription-state.js';
import type { SubscriptionRecord } from './subscription.record.js';
import { SubscriptionStore } from './subscription.store.js';

const DATES = { created: 'created', updated: 'updated', starting_date: 'starting_date' };

const LIST: PageRules = {
  sortable: ['created', 'updated', 'starting_date', 'next_billing_date', 'name'],
  sort: '-created',
  dates: DATES,
  others: ['method', 'status', 'plan', 'user'],
};

/** Subscriptions as callers may see them: a user its own, an admin all of the company's. */
@Injectable()
export class SubscriptionReader {
  constructor(private readonly store: SubscriptionStore) {}

  async get(caller: Caller, id: string): Promise<SubscriptionRecord> {
    return this.reach(caller, id, ownerOnly(caller) === null);
  }

  /** As get, to change it: a deleted one is not there. */
  async toWrite(caller: Caller, id: string): Promise<SubscriptionRecord> {
    return this.reach(caller, id, false);
  }

  async ofCompany(company: Id, id: Id): Promise<SubscriptionRecord> {
    return this.store.in(company).get(id);
  }

  async list(caller: Caller, raw: RawQuery): Promise<Page<SubscriptionRecord>> {
    const query = readPage(raw, LIST);
    const filter = { ...asked(raw), ...query.filter, ...mine(caller), deleted: false };
    return this.store.in(caller.company).page({ ...query, filter });
  }

  /** A page where a size is asked for; else every subscription of the company, one after the other. */
  async search(
    caller: Caller,
    raw: RawQuery,
  ): Promise<Page<SubscriptionRecord> | AsyncIterable<SubscriptionRecord>> {
    const paged = ['size', 'page', 'after'].some((name) => raw[name] !== undefined);
    if (paged) return this.list(caller, raw);
    const query = readPage(raw, LIST);
    const filter = { ...asked(raw), ...query.filter, deleted: false };
    const { field, direction } = query.sort;
    return this.store.in(caller.company).stream(filter, { [field]: direction, _id: direction });
  }

  private async reach(caller: Caller, id: string, deleted: boolean): Promise<SubscriptionRecord> {
    const found = await this.store.in(caller.company).get(id, { deleted });
    const only = ownerOnly(caller);
    if (only === null || found.user.equals(only)) return found;
    throw fault('subscription.not_found', 'There is no subscription with this id');
  }
}

function mine(caller: Caller): Filter {
  const only = ownerOnly(caller);
  return only === null ? {} : { user: only };
}

/** What may be asked for beside dates; a value that cannot be is refused rather than overlooked. */
function asked(raw: RawQuery): Filter {
  const filter: Filter = {};
  const { method, status } = raw;
  if (typeof method === 'string') filter['method'] = method;
  if (typeof status === 'string') {
    const known = SUBSCRIPTION_STATUSES.find((one) => one === status.toUpperCase());
    if (known === undefined)
      throw fieldFault('status', `status must be one of ${SUBSCRIPTION_STATUSES.join(', ')}`);
    filter['status'] = known;
  }
  for (const name of ['plan', 'user']) {
    const value = raw[name];
    if (typeof value !== 'string') continue;
    const id = parseId(value);
    if (id === null) throw fieldFault(name, `${name} must be an id: 24 hexadecimal digits`);
    filter[name] = id;
  }
  return filter;
}

import { Injectable } from '@nestjs/common';
import { clockFilter } from '@commerce/identity';
import { ownerOnly, type Caller, type Page, type RecordStream } from '@commerce/data';
import { pageOf, type Filter } from '@commerce/records';

import { IN_DUNNING } from '../subscription-record/dunning.js';
import { IS_HELD } from '../subscription-record/held.js';
import type { ListSubscriptionsQuery, SearchSubscriptionsQuery } from './subscription.dto.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';

/** Default page size when only the page number is given. */
const PAGE_SIZE = 10;

/** Reads the subscriptions visible to a caller: their own for a user, all of the company for an admin. */
@Injectable()
export class SubscriptionReader {
  constructor(private readonly store: SubscriptionStore) {}

  async get(caller: Caller, id: string): Promise<SubscriptionRecord> {
    return this.store.for(caller).show(id);
  }

  async list(caller: Caller, query: ListSubscriptionsQuery): Promise<Page<SubscriptionRecord>> {
    return this.store.for(caller).page(pageOf(query, filterOf(caller, query)));
  }

  /** A page where one is requested; otherwise a stream of every subscription of the company. */
  async search(
    caller: Caller,
    query: SearchSubscriptionsQuery,
  ): Promise<Page<SubscriptionRecord> | RecordStream<SubscriptionRecord>> {
    const { size, page, after } = query;
    const asked = { ...query, size: size ?? PAGE_SIZE, page: page ?? 0 };
    if (size !== null || page !== null || after !== null) return this.list(caller, asked);
    const { filter, sort, total } = pageOf(asked, filterOf(caller, asked));
    const records = this.store.for(caller);
    return {
      stream: records.stream(filter, { [sort.field]: sort.direction, _id: sort.direction }),
      total: total ? await records.total(filter) : null,
    };
  }
}

/** Restricts a user to its own subscriptions, even if another user is requested. */
function filterOf(caller: Caller, query: ListSubscriptionsQuery): Filter {
  const { method, status, plan, user, held, currency } = query;
  const collection_state =
    query.collection_state === null ? null : { ...IN_DUNNING, $eq: query.collection_state };
  const asked = {
    ...{ method, status, collection_state, plan, currency },
    user: ownerOnly(caller) === null ? user : null,
  };
  const named = Object.entries(asked).filter(([, value]) => value !== null);
  const all = { ...Object.fromEntries(named), ...clockFilter(query), deleted: false };
  if (held === null) return all;
  // Few subscriptions are held: the condition narrows the list, and comes before the company.
  return held ? { ...IS_HELD, company: caller.company, ...all } : { ...all, held: null };
}

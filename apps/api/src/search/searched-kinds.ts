import type { Type } from '@nestjs/common';
import { PlanStore, SubscriptionStore } from '@commerce/billing';
import { CouponStore, ProductStore, SearchTextStore, foundByText } from '@commerce/catalog';
import {
  ANY_TEXT,
  foundByIds,
  foundByWords,
  type CompanyRecords,
  type RecordStore,
  type Sought,
} from '@commerce/data';
import { WebhookStore } from '@commerce/events';
import { UserStore } from '@commerce/identity';
import { InvoiceStore } from '@commerce/invoices';
import { OrderStore } from '@commerce/orders';
import { PaymentStore } from '@commerce/payments';
import type { Id, OwnedRecord } from '@commerce/records';

import type { FoundReply } from './search.dto.js';

/** A text that is looked for in the records of a company. */
export interface Search {
  readonly company: Id;
  readonly sought: Sought;
  /** Records of one kind in the results. */
  readonly limit: number;
  /** Returns a provider of this process. */
  readonly get: <T>(type: Type<T>) => T;
}

/** Finds records of one kind by indexes alone. */
type Find<R extends OwnedRecord> = (records: CompanyRecords<R>, search: Search) => Promise<R[]>;

type Shown = Partial<Omit<FoundReply, 'object_type' | '_id' | 'created'>>;

/** The beginning of a number, its year included: a shorter one would find the first documents ever issued. */
const NUMBERED = /^[A-Z0-9/-]*\d{4}-\d*$/;

/** Webhooks of a company that are compared; few have more. */
const COMPARED = 500;

/** Each kind of record that a search finds, in the order of the results: how it is found, and what is shown of it. */
export const SEARCHED_KINDS: readonly ((search: Search) => Promise<FoundReply[]>)[] = [
  kind('user', UserStore, byWords, ({ human_id, name, email }) => ({ human_id, name, email })),
  kind('subscription', SubscriptionStore, byIds, ({ human_id, user, plan, status }) => ({
    ...{ human_id, user, plan, status },
  })),
  kind('order', OrderStore, byIds, ({ human_id, user, status, amount, currency }) => ({
    ...{ human_id, user, status, amount, currency },
  })),
  kind(
    'payment',
    PaymentStore,
    (records, { sought }) => {
      if (sought.id !== null) return foundByIds(records, { ...sought, human_id: null });
      return records.many({ 'provider.charge_id': { $eq: sought.text, ...ANY_TEXT } }, { limit: 1 });
    },
    ({ user, status, amount, currency }) => ({ user, status, amount, currency }),
  ),
  kind(
    'invoice',
    InvoiceStore,
    async (records, { sought, limit }) => {
      if (sought.id !== null) return foundByIds(records, { ...sought, human_id: null });
      const text = sought.text.toUpperCase();
      if (!NUMBERED.test(text)) return [];
      // Digits alone follow the beginning of a number.
      return records.many({ number: { $gte: text, $lt: `${text}:` } }, { limit, sort: { number: 1 } });
    },
    ({ number, user, gross, currency }) => ({ number, user, amount: gross, currency }),
  ),
  kind('plan', PlanStore, byWords, ({ human_id, name, total_amount: amount, currency }) => ({
    ...{ human_id, name, amount, currency },
  })),
  kind(
    'product',
    ProductStore,
    (records, { sought, limit, get }) =>
      foundByText({ kind: 'product', texts: get(SearchTextStore) }, records, sought, limit),
    ({ human_id, name, final_price: amount, currency, active }) => ({
      ...{ human_id, name, amount, currency, status: active ? 'active' : 'inactive' },
    }),
  ),
  kind(
    'coupon',
    CouponStore,
    (records, { sought, limit, get }) => {
      const ids = { ...sought, human_id: null };
      return foundByText({ kind: 'coupon', texts: get(SearchTextStore) }, records, ids, limit);
    },
    ({ name, code, active }) => ({ name, code, status: active ? 'active' : 'inactive' }),
  ),
  kind(
    'webhook',
    WebhookStore,
    async (records, { sought: { text, id }, limit }) => {
      const lowered = text.toLowerCase();
      const kept = await records.many({ deleted: false }, { limit: COMPARED });
      return kept
        .filter((one) => one._id.equals(id ?? '') || one.endpoint.toLowerCase().includes(lowered))
        .slice(0, limit);
    },
    ({ endpoint, verified }) => ({ name: endpoint, status: verified ? 'verified' : 'unverified' }),
  ),
];

const NOTHING = {
  ...{ human_id: null, name: null, email: null, code: null, number: null, user: null },
  ...{ plan: null, status: null, amount: null, currency: null },
} as const;

function kind<R extends OwnedRecord>(
  object_type: FoundReply['object_type'],
  store: Type<RecordStore<R>>,
  find: Find<R>,
  shown: (record: R) => Shown,
) {
  return async (search: Search): Promise<FoundReply[]> => {
    const found = await find(search.get(store).in(search.company), search);
    return found.map((record) => {
      const { _id, created } = record;
      return { ...NOTHING, object_type, _id, ...shown(record), created };
    });
  };
}

function byWords<R extends OwnedRecord & { readonly deleted: boolean }>(
  records: CompanyRecords<R>,
  { sought, limit }: Search,
): Promise<R[]> {
  return foundByWords(records, sought, limit);
}

function byIds<R extends OwnedRecord>(records: CompanyRecords<R>, { sought }: Search): Promise<R[]> {
  return foundByIds(records, sought);
}

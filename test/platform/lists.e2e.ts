import { readFileSync } from 'node:fs';

import { engineOf } from '@commerce/data';
import { newId } from '@commerce/records';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { faultOf } from '../../apps/api/src/http/faults/fault-of.js';
import type { ServiceRequest } from '../../apps/api/src/http/service-request.js';
import { explained, planOf } from '../explain/plan.js';
import { World } from '../world.js';

interface Parameter {
  /** Absent for headers, which are defined elsewhere in the document. */
  readonly name?: string;
  readonly in?: string;
  readonly schema?: { readonly enum?: readonly string[]; readonly type?: string };
}

/** A list of the API: its collection, its orders and its filters. */
interface List {
  readonly path: string;
  readonly collection: string;
  /** The fields that each of its queries filters by, besides the company. */
  readonly within: readonly string[];
  readonly sorts: readonly string[];
  readonly filters: readonly string[];
}

/** Paging parameters, and flags that match most of a list. */
const NOT_NARROWING = /^(size|page|after|from_date|to_date|date_filter|sort|total|include.*_deleted|active)$/;

/**
 * Filters with other indexes: by place, tag, text and ids; `held` and dunning by their partial index, and real time as the
 * absence of a test clock. Amounts by the index of the sort by amount.
 */
const OTHERWISE = /^(latitude|longitude|tags|query|ids|held|collection_state|real_time|(min|max)_amount)$/;

const ELSEWHERE: Readonly<Record<string, Pick<List, 'collection' | 'within'>>> = {
  '/audit': { collection: 'audit_entries', within: [] },
  '/keys': { collection: 'credentials', within: [] },
  '/subscriptions/{id}/payments': { collection: 'payments', within: ['subscription'] },
  '/users/{id}/credits': { collection: 'credits', within: ['user'] },
  '/webhooks/{id}/deliveries': { collection: 'deliveries', within: ['webhook'] },
};

/** Combinations without an index of their own: the list is walked in its order, for at most a second. */
const WALKED = [
  'orders by status, sorted by updated',
  ...['user', 'status'].flatMap((field) =>
    ['amount', '_id'].map((sort) => `orders by ${field}, sorted by ${sort}`),
  ),
  ...['user', 'subscription', 'order', 'status', 'test_clock', 'currency'].map(
    (field) => `payments by ${field}, sorted by _id`,
  ),
  ...['updated', 'name', 'email', '_id'].map((sort) => `users by test_clock, sorted by ${sort}`),
  'payments by order, sorted by created',
  'payments by order, sorted by updated',
  'payments by order, sorted by amount',
  'payments by status, sorted by updated',
  'payments by status, sorted by amount',
  'payments by subscription, sorted by updated',
  'payments by subscription, sorted by amount',
  'payments by user, sorted by amount',
  ...['created', 'updated', 'amount', '_id'].map(
    (sort) => `payments of one subscription by status, sorted by ${sort}`,
  ),
  ...['test_clock', 'currency'].flatMap((field) =>
    ['updated', 'amount'].map((sort) => `payments by ${field}, sorted by ${sort}`),
  ),
  'resources by status, sorted by modified',
  'resources by status, sorted by name',
  ...['method', 'status', 'plan', 'test_clock', 'currency'].flatMap((field) =>
    ['updated', 'name', 'next_billing_date', '_id'].map(
      (sort) => `subscriptions by ${field}, sorted by ${sort}`,
    ),
  ),
  ...['name', 'next_billing_date', '_id'].map((sort) => `subscriptions by user, sorted by ${sort}`),
];

/** Filters with few matches, found by an index that does not sort them. */
const FEW: Readonly<Record<string, Record<string, unknown>>> = {
  'payments by order': { subscription: null, order: newId() },
  'payments by subscription': { subscription: newId() },
};

function lists(): List[] {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, { get?: { parameters?: Parameter[] } }>;
  };
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const parameters = get?.parameters ?? [];
    const sorts = parameters.find(({ name }) => name === 'sort')?.schema?.enum;
    if (sorts === undefined) return [];
    const known = ELSEWHERE[path] ?? { collection: path.split('/')[1] ?? '', within: [] };
    const filters = parameters
      .flatMap((one) => (one.in === 'query' && one.name !== undefined ? [one.name] : []))
      .filter((name) => !NOT_NARROWING.test(name) && !OTHERWISE.test(name));
    return [{ path, ...known, sorts: sorts.filter((sort) => !sort.startsWith('-')), filters }];
  });
}

let world: World;
let connection: Connection;
const indexes = new Map<string, string[]>();
const company = newId();
beforeAll(async () => {
  world = await World.start({ worker: false });
  connection = world.api.get<Connection>(getConnectionToken());
  for (const collection of new Set(lists().map((list) => list.collection))) {
    const found = await connection.collection(collection).indexes();
    indexes.set(
      collection,
      found
        .filter((one) => one['partialFilterExpression'] === undefined)
        .map(({ key }) => Object.keys(key).join()),
    );
  }
});
afterAll(() => world.stop());

const hasIndex = ({ collection }: List, equal: readonly string[], sort: string): boolean =>
  indexes.get(collection)?.includes([...new Set(['company', ...equal, sort, '_id'])].join()) === true;

const nameOf = ({ collection, within }: List): string =>
  [collection, ...within.map((field) => `of one ${field}`)].join(' ');

async function stagesOf(collection: string, filter: object, sort: string): Promise<ReadonlySet<string>> {
  const order = { [sort]: -1, _id: -1 } as const;
  const search = { find: collection, filter: { company, ...filter }, sort: order, limit: 21 };
  return planOf(await explained(connection, search, 'queryPlanner')).stages;
}

/** Whether a list is sorted in memory, and whether its whole collection is read. */
async function costsOf(collection: string, sort: string): Promise<[sorts: boolean, scans: boolean]> {
  await connection.collection(collection).insertOne({ company: newId() });
  const stages = await stagesOf(collection, {}, sort);
  return [stages.has('SORT'), stages.has('COLLSCAN')];
}

/** The costs of a list whose index certainly fits: DocumentDB sorts even that in memory. */
async function leastCosts(): Promise<[sorts: boolean, scans: boolean]> {
  if (engineOf(connection).name === 'embedded') return [false, false];
  await connection.collection('indexed').createIndexes([{ key: { company: 1, created: 1, _id: 1 } }]);
  return costsOf('indexed', 'created');
}

describe('Each list of the API', () => {
  it('has an index for each order that a caller may ask for', async () => {
    expect(lists().length).toBeGreaterThan(15);
    const without = lists().flatMap((list) =>
      list.sorts
        .filter((sort) => !hasIndex(list, list.within, sort) && !hasIndex(list, [], sort))
        .map((sort) => `${list.path} sorted by ${sort}`),
    );
    expect(without).toEqual([]);
  });

  it('is read in that order: nothing is sorted in memory, unless the server sorts every list there', async () => {
    const least = await leastCosts();
    for (const list of lists().filter(({ within }) => within.length === 0)) {
      for (const sort of list.sorts) {
        expect([list.path, sort, ...(await costsOf(list.collection, sort))]).toEqual([
          ...[list.path, sort, ...least],
        ]);
      }
    }
  });

  it('has an index for each filter in the order of creation; the other orders are walked', () => {
    const walked = lists().flatMap((list) =>
      list.filters.flatMap((field) =>
        list.sorts
          .filter((sort) => !hasIndex(list, [...list.within, field], sort))
          .map((sort) => `${nameOf(list)} by ${field}, sorted by ${sort}`),
      ),
    );
    expect([...new Set(walked)].sort()).toEqual([...WALKED].sort());
  });

  it('finds the few matches of a filter by an index, in any order', async () => {
    for (const filter of Object.values(FEW)) {
      const stages = await stagesOf('payments', filter, 'amount');
      expect(stages.has('COLLSCAN')).toBe(false);
    }
  });
});

describe('A list that takes too long', () => {
  const subscriptions = (): ReturnType<Connection['collection']> => connection.collection('subscriptions');

  async function insert(count: number): Promise<void> {
    const ids = Array.from({ length: count }, newId);
    await subscriptions().insertMany(
      ids.map((_id, index) => ({
        ...{ _id, company, name: String(index), status: 'ACTIVE', human_id: _id.toHexString() },
      })),
    );
  }

  /** Walks the list for at most a millisecond; the error of the database if that was not enough. */
  async function walk(): Promise<unknown> {
    const none = { company, status: 'NONE', name: { $regex: '^9' } };
    return subscriptions()
      .aggregate([{ $match: none }, { $sort: { name: 1 } }], { maxTimeMS: 1 })
      .toArray()
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
  }

  it('is ended by the database, and answered with 503 query.timeout', async () => {
    let error: unknown;
    // DocumentDB inserts slowly, and ends a walk of few; the embedded server walks thousands in a millisecond.
    for (let rows = 0; error === undefined && rows < 20_000; rows += 1000) {
      await insert(1000);
      error = await walk();
    }
    expect(faultOf(error, { method: 'GET' } as ServiceRequest)).toMatchObject({ code: 'query.timeout' });
  });
});

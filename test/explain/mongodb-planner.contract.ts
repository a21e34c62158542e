import { newId } from '@commerce/records';

import { faultsByRules, type Index, type Planned } from './mongodb-planner.js';

const company = newId();
const INDEXES: readonly Index[] = [
  { key: { _id: 1 } },
  { key: { company: 1, created: -1, _id: -1 } },
  { key: { company: 1, user: 1, created: -1, _id: -1 } },
  { key: { due: 1 }, partialFilterExpression: { due: { $gt: new Date(0) } } },
  { key: { keys: 1 } },
  { key: { pending: 1, company: 1, _id: 1 }, partialFilterExpression: { pending: true } },
];

const judged = (filter: Planned['filter'], sort: Planned['sort'] = null): string =>
  faultsByRules({ filter, sort }, INDEXES, ['company']).join();

describe("The rules of MongoDB's planner", () => {
  it('serve a list whose sort follows what must be equal, in both directions', () => {
    expect(judged({ company }, { created: -1, _id: -1 })).toBe('');
    expect(judged({ company }, { created: 1, _id: 1 })).toBe('');
    expect(judged({ company }, { created: 1, _id: -1 })).toBe('SORT');
    expect(judged({ company, created: { $lt: new Date() } }, { created: -1, _id: -1 })).toBe('');
    expect(judged({ company, user: newId(), created: new Date() }, { created: -1, _id: -1 })).toBe('');
    expect(judged({ company }, { amount: 1, _id: 1 })).toBe('SORT');
    expect(judged({ company: { $gt: company } }, { created: -1, _id: -1 })).toBe('NO_SHARD_KEY,SORT');
  });

  it('merge the scans of a few choices, and of no more', () => {
    const users = (count: number): unknown => ({ $in: Array.from({ length: count }, () => newId()) });
    const narrow = INDEXES.filter(({ key }) => 'user' in key);
    const faults = (count: number): string =>
      faultsByRules({ filter: { company, user: users(count) }, sort: { created: -1, _id: -1 } }, narrow, [
        'company',
      ]).join();
    expect(faults(200)).toBe('');
    expect(faults(201)).toBe('SORT');
  });

  it('take a partial index only where the filter implies its condition', () => {
    const now = new Date();
    expect(judged({ company, pending: true }, { _id: 1 })).toBe('');
    expect(judged({ pending: true, company: newId() }, { _id: 1 })).toBe('');
    expect(judged({ due: { $lte: now, $gt: new Date(0) } }, { due: 1 })).toBe('NO_SHARD_KEY');
    expect(judged({ due: { $gte: now } }, { due: 1 })).toBe('NO_SHARD_KEY');
    expect(judged({ due: { $gte: new Date(0) } }, { due: 1 })).toBe('NO_SHARD_KEY,COLLSCAN,SORT');
    expect(judged({ due: { $lte: now } }, { due: 1 })).toBe('NO_SHARD_KEY,COLLSCAN,SORT');
    expect(judged({ due: now })).toBe('NO_SHARD_KEY');
    expect(judged({ due: null })).toBe('NO_SHARD_KEY,COLLSCAN');
  });

  it('see the company in every form but a negation, and an id in every form', () => {
    expect(judged({ _id: newId(), company })).toBe('');
    expect(judged({ $and: [{ _id: newId() }, { $and: [{ company }] }] })).toBe('');
    expect(judged({ _id: { $in: [newId(), newId()] }, company: { $not: { $ne: company } } })).toBe(
      'NO_SHARD_KEY',
    );
    expect(judged({ _id: { $in: [newId()] }, company: { $in: [company, newId()] } })).toBe('');
    expect(judged({ company: { $gte: company, $lt: newId() } })).toBe('');
    expect(judged({ status: 'PAID' })).toBe('NO_SHARD_KEY,COLLSCAN');
    expect(judged({})).toBe('NO_SHARD_KEY,COLLSCAN');
    expect(judged({}, { _id: 1 })).toBe('NO_SHARD_KEY');
  });

  it('bound a scan of what arrays hold by both ends of one range', () => {
    expect(judged({ keys: { $elemMatch: { $gte: 3, $lte: 9 } } })).toBe('NO_SHARD_KEY');
    expect(judged({ other: { $elemMatch: { $gte: 3, $lte: 9 } } })).toBe('NO_SHARD_KEY,COLLSCAN');
  });

  it('serve each choice of an $or by itself', () => {
    const user = newId();
    expect(judged({ company, $or: [{ user }, { created: new Date() }] }, { created: -1, _id: -1 })).toBe('');
    expect(judged({ $or: [{ company, user }, { status: 'PAID' }] })).toBe('NO_SHARD_KEY,COLLSCAN');
  });
});

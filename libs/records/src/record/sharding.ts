import type { Id } from '../fields/id.js';

/** How a sharded MongoDB distributes a collection. */
export interface Sharding {
  /** The shard key. Each unique index begins with it, and each write names it. */
  readonly key: Readonly<Record<string, 1 | 'hashed'>>;
  /** The value of the key at which a company's documents begin; absent where the key does not contain the company. */
  readonly from?: (company: Id) => unknown;
}

/** All documents of a company lie on one shard, in each collection the same. */
export const BY_COMPANY: Sharding = { key: { company: 1 }, from: (company) => company };

/** For collections with one document for each company, which has the company's id. */
export const BY_COMPANY_ID: Sharding = { key: { _id: 1 }, from: (company) => company };

/** For collections whose ids are texts that begin with the company's id. */
export const BY_COMPANY_TEXT: Sharding = { key: { _id: 1 }, from: (company) => company.toHexString() };

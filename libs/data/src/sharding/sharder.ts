import { setTimeout as pause } from 'node:timers/promises';

import { Inject, Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { CONFIG, type Config } from '@commerce/platform';
import { BY_COMPANY, type Id, type Sharding } from '@commerce/records';
import { mongo, type Connection } from 'mongoose';

import { engineOf } from '../reading/engine.js';
import { Database, type DeclaredCollection } from '../server/database.js';
import { companyRanges, type CompanyRange, type CompanySize } from './company-ranges.js';

/** The steps that make the sharding of a collection what its declaration says. */
export interface CollectionPlan {
  readonly name: string;
  readonly key: Sharding['key'];
  readonly needsIndex: boolean;
  readonly needsSharding: boolean;
  /** The zones of the collection that are to be replaced, with the new ones. */
  readonly zones: { readonly remove: readonly Zone[]; readonly add: readonly Zone[] };
}

/** The cluster's description of a sharded collection. */
interface ConfigRow {
  readonly _id: string;
  readonly key?: Sharding['key'];
  readonly dropped?: boolean;
}

/** The cluster's description of a zone's range. */
interface TagRow extends Omit<Zone, 'zone'> {
  readonly ns: string;
  readonly tag: string;
}

/** A range of the shard key, and the shard where its documents lie. */
interface Zone {
  readonly min: mongo.Document;
  readonly max: mongo.Document;
  readonly zone: string;
}

export interface ShardingPlan {
  readonly ranges: readonly CompanyRange[];
  readonly collections: readonly CollectionPlan[];
}

/** Reports how many of the steps are done. */
export type Progress = (done: number, total: number, what: string) => void;

/** The interval between two questions how far the balancer is. */
const ASK_MS = 2000;

/** The balancer skips ranges that are too large for it; the wait ends after this time without progress. */
const STANDSTILL_MS = 10 * 60_000;

const COMPANIES = 'companies';

/**
 * Shards the database by company, through a mongos. Each shard is a zone with a range of companies, the same in all
 * collections, so that all documents of a company lie on one shard. May be interrupted and run again at any time.
 */
@Injectable()
export class Sharder {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mongodbUri'>,
  ) {}

  /**
   * The difference between the database and its declaration.
   * @throws Error where the server is no mongos, or has a collection that is sharded by another key
   */
  async plan(progress: Progress): Promise<ShardingPlan> {
    if (!engineOf(this.connection).isSharded)
      throw new Error(
        'MONGODB_URI leads to a server that is no mongos; only a sharded cluster can distribute collections',
      );
    const shards = await this.shards();
    const ranges = companyRanges(shards, await this.sizes(progress));
    const collections: CollectionPlan[] = [];
    for (const declared of this.database.collections()) {
      if (declared.sharding !== null)
        collections.push(await this.planOf(declared, declared.sharding, zonesOf(declared.sharding, ranges)));
    }
    return { ranges, collections };
  }

  /** Makes indexes and zones, and shards; then the balancer of the cluster moves the documents. */
  async carryOut({ ranges, collections }: ShardingPlan, progress: Progress): Promise<void> {
    const admin = this.admin;
    await admin.command({ enableSharding: this.connection.name });
    for (const { shard } of ranges) await admin.command({ addShardToZone: shard, zone: zoneOf(shard) });
    for (const [index, one] of collections.entries()) {
      progress(index, collections.length, 'collections');
      await this.shard(one);
    }
    progress(collections.length, collections.length, 'collections');
    await this.flushRouters();
  }

  /**
   * Each mongos of MONGODB_URI reads anew which collections are sharded. Otherwise MongoDB 4.9 may refuse transactions
   * until a read outside of one has told it.
   */
  private async flushRouters(): Promise<void> {
    for (const uri of urisOfHosts(this.config.mongodbUri)) {
      const router = new mongo.MongoClient(uri);
      try {
        await router.db('admin').command({ flushRouterConfig: 1 });
      } finally {
        await router.close();
      }
    }
  }

  /** Waits until the balancer has moved all documents to their shards. Returns the collections of which it has not. */
  async untilBalanced({ collections }: ShardingPlan, progress: Progress): Promise<string[]> {
    let left = collections.map(({ name }) => name);
    let since = performance.now();
    for (;;) {
      const now = await this.unbalanced(left);
      if (now.length < left.length) since = performance.now();
      left = now;
      progress(collections.length - left.length, collections.length, 'collections are balanced');
      if (left.length === 0 || performance.now() - since > STANDSTILL_MS) return left;
      await pause(ASK_MS);
    }
  }

  private async unbalanced(names: readonly string[]): Promise<string[]> {
    const left: string[] = [];
    for (const name of names) {
      const status = await this.admin.command({ balancerCollectionStatus: this.namespace(name) });
      if (status['balancerCompliant'] !== true) left.push(name);
    }
    return left;
  }

  private async shard({ name, key, needsIndex, needsSharding, zones }: CollectionPlan): Promise<void> {
    const namespace = this.namespace(name);
    if (needsIndex) await this.connection.collection(name).createIndexes([{ key: { ...key } }]);
    for (const { min, max } of zones.remove)
      await this.admin.command({ updateZoneKeyRange: namespace, min, max, zone: null });
    for (const { min, max, zone } of zones.add)
      await this.admin.command({ updateZoneKeyRange: namespace, min, max, zone });
    if (needsSharding) await this.admin.command({ shardCollection: namespace, key });
  }

  private async planOf(
    { collection, indexes }: DeclaredCollection,
    { key }: Sharding,
    wanted: readonly Zone[],
  ): Promise<CollectionPlan> {
    const name = collection.collectionName;
    const { sharded, zones } = await this.stateOf(name);
    if (sharded !== null && textOf(sharded) !== textOf(key))
      throw new Error(`${name} is sharded by ${textOf(sharded)}, and not by ${textOf(key)}`);
    const kept = new Set(zones.map(textOf));
    const asked = new Set(wanted.map(textOf));
    const made = sharded === null ? await collection.indexes() : [];
    return {
      name,
      key,
      needsIndex: sharded === null && ![...indexes, ...made].some((index) => serves(index, key)),
      needsSharding: sharded === null,
      zones: {
        remove: zones.filter((zone) => !asked.has(textOf(zone))),
        add: wanted.filter((zone) => !kept.has(textOf(zone))),
      },
    };
  }

  /** The key by which a collection is sharded, null if it is not, and its zones. */
  private async stateOf(name: string): Promise<{ sharded: Sharding['key'] | null; zones: Zone[] }> {
    const config = this.connection.getClient().db('config');
    const ns = this.namespace(name);
    const found = await config.collection<ConfigRow>('collections').findOne({ _id: ns });
    const tags = await config.collection<TagRow>('tags').find({ ns }).toArray();
    return {
      sharded: found?.dropped === true ? null : (found?.key ?? null),
      zones: tags.map(({ min, max, tag }) => ({ min, max, zone: tag })),
    };
  }

  private async shards(): Promise<string[]> {
    const { shards } = (await this.admin.command({ listShards: 1 })) as unknown as {
      shards: readonly { readonly _id: string; readonly draining?: boolean }[];
    };
    return shards
      .filter(({ draining }) => draining !== true)
      .map(({ _id }) => _id)
      .sort();
  }

  /** How many documents each company has in the collections that are sharded by company. */
  private async sizes(progress: Progress): Promise<CompanySize[]> {
    const counted = this.database.collections().filter(({ sharding }) => sharding === BY_COMPANY);
    const companies = await this.companies();
    const sizes: CompanySize[] = [];
    for (const company of companies) {
      progress(sizes.length, companies.length, 'companies counted');
      const counts = await Promise.all(
        counted.map(({ collection }) => collection.countDocuments({ company })),
      );
      sizes.push({ company, documents: counts.reduce((sum, count) => sum + count, 0) });
    }
    return sizes;
  }

  private async companies(): Promise<Id[]> {
    const found = await this.connection
      .collection(COMPANIES)
      .find({}, { projection: { _id: 1 } })
      .toArray();
    return found.map(({ _id }) => _id);
  }

  private namespace(name: string): string {
    return `${this.connection.name}.${name}`;
  }

  private get admin(): mongo.Db {
    return this.connection.getClient().db('admin');
  }
}

/** A URI for each host of a URI; the URI itself where a DNS entry names the hosts. */
function urisOfHosts(uri: string): string[] {
  const [, start = '', hosts = '', rest = ''] = /^(mongodb:\/\/(?:[^/?]*@)?)([^/?]+)(.*)$/.exec(uri) ?? [];
  return hosts === '' ? [uri] : hosts.split(',').map((host) => `${start}${host}${rest}`);
}

/** Ties a shard to its ranges. */
function zoneOf(shard: string): string {
  return `commerce-${shard}`;
}

/** The zones of a collection; none where the key does not contain the company. */
function zonesOf({ key, from }: Sharding, ranges: readonly CompanyRange[]): Zone[] {
  if (from === undefined) return [];
  const [field = ''] = Object.keys(key);
  const start = (range: CompanyRange): unknown =>
    range.from === null ? new mongo.MinKey() : from(range.from);
  return ranges.map((range, index) => {
    const next = ranges[index + 1];
    const end = next === undefined ? new mongo.MaxKey() : start(next);
    return { min: { [field]: start(range) }, max: { [field]: end }, zone: zoneOf(range.shard) };
  });
}

/** Whether an index contains every document, in the order of a shard key. */
function serves(index: mongo.IndexDescription, key: Sharding['key']): boolean {
  const { partialFilterExpression, sparse } = index;
  const fields = index.key instanceof Map ? Object.fromEntries(index.key as Map<string, unknown>) : index.key;
  const first = Object.entries(fields).slice(0, Object.keys(key).length);
  return (
    partialFilterExpression === undefined && sparse !== true && textOf(first) === textOf(Object.entries(key))
  );
}

function textOf(value: unknown): string {
  return mongo.BSON.EJSON.stringify(value, { relaxed: true });
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Database, engineOf, type EngineName } from '@commerce/data';
import { newId, type Id } from '@commerce/records';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';

import { World } from '../world.js';
import { exceptionFor, type Fault } from './exceptions.js';
import { manyLike } from './many-documents.js';
import { faultsByRules, type Index } from './mongodb-planner.js';
import { readNoted, type NotedCommand } from './noted-commands.js';
import { planOf } from './plan.js';

const DOCUMENTS = 500;

/** The parts of a change besides its filter; only the filter is explained. */
const CHANGING = new Set(['changes', 'update', 'remove']);

const dir = process.env['EXPLAIN_COMMANDS'] ?? '';
const { commands, samples } = readNoted(dir);
const companies: Id[] = Array.from({ length: 3 }, () => newId());

let world: World;
let database: mongo.Db;
/** How the tests asked; see the setting DATABASE_ENGINE. */
let engine: EngineName;
/** The fields of the shard key of each sharded collection. */
let shardKeys: ReadonlyMap<string, readonly string[]>;
beforeAll(async () => {
  world = await World.start({ worker: false });
  const connection = world.api.get<Connection>(getConnectionToken());
  const { db } = connection;
  if (db === undefined) throw new Error('the database is not connected');
  engine = engineOf(connection).name;
  database = db;
  const declared = world.get(Database).collections();
  shardKeys = new Map(
    declared.map(({ collection, sharding }) => [collection.collectionName, Object.keys(sharding?.key ?? {})]),
  );
  // Those that GridFS makes with the first upload.
  await db.collection('image_content.files').createIndexes([{ key: { filename: 1, uploadDate: 1 } }]);
  await db.collection('image_content.chunks').createIndexes([{ key: { files_id: 1, n: 1 }, unique: true }]);
  // That of an earlier version: a search asks for grams only while it exists.
  await db.collection('search_texts').createIndexes([{ key: { grams: 1, company: 1, kind: 1 } }]);
});
afterAll(() => world.stop());

/** The values that were asked for are those of a database that is gone: others, of the same kinds, take their place. */
function asked(filter: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const own = { ...filter };
  if ('company' in own) own['company'] = companies[0];
  // Of a filter that nests its parts, each.
  if (Array.isArray(own['$and'])) own['$and'] = (own['$and'] as Record<string, unknown>[]).map(asked);
  return own;
}

function explainable({ command, filter }: NotedCommand): Record<string, unknown> {
  const entries = Object.entries(command).filter(([name]) => !CHANGING.has(name));
  const read: Record<string, unknown> = Object.fromEntries(entries);
  if (read['filter'] !== undefined) return { ...read, filter: asked(filter) };
  if (read['pipeline'] !== undefined) {
    const [first, ...rest] = read['pipeline'] as Record<string, Record<string, unknown>>[];
    const near = first?.['$geoNear'];
    const begin =
      near === undefined ? { $match: asked(filter) } : { $geoNear: { ...near, query: asked(filter) } };
    return { ...read, pipeline: [first?.['$match'] || near ? begin : first, ...rest], cursor: {} };
  }
  if (read['findAndModify'] !== undefined) {
    return { find: read['findAndModify'], filter: asked(filter), sort: read['sort'] ?? {}, limit: 1 };
  }
  return { ...read, query: asked(filter) };
}

/** Of a collection into which only some of the tests insert, not all samples are of use. */
async function insert(collection: string, documents: Record<string, unknown>[]): Promise<void> {
  try {
    await database.collection(collection).insertMany(documents, { ordered: false });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 11000) throw error;
  }
}

/**
 * A search near a place runs by an index of places or not at all, and not every server can explain it: it is run
 * instead. All other commands are explained.
 */
async function stagesOf(
  { collection }: NotedCommand,
  explain: Record<string, unknown>,
): Promise<ReadonlySet<string>> {
  const pipeline = (explain['pipeline'] ?? []) as Record<string, unknown>[];
  if (pipeline[0]?.['$geoNear'] === undefined)
    return planOf(await database.command({ explain, verbosity: 'queryPlanner' })).stages;
  await database.collection(collection).aggregate(pipeline).toArray();
  return new Set();
}

function shardKeyOf({ collection }: NotedCommand): readonly string[] {
  return shardKeys.get(collection) ?? [];
}

/** The faults of a command by the rules of MongoDB's planner, on any server; none of a search near a place. */
async function faultsInMongodb(noted: NotedCommand): Promise<Fault[]> {
  const pipeline = (noted.command['pipeline'] ?? []) as Record<string, unknown>[];
  if (pipeline[0]?.['$geoNear'] !== undefined) return [];
  const indexes = (await database.collection(noted.collection).indexes()) as unknown as Index[];
  const [, second] = pipeline;
  const sort = (noted.command['sort'] ?? second?.['$sort'] ?? null) as Record<string, number> | null;
  return faultsByRules({ filter: asked(noted.filter), sort }, indexes, shardKeyOf(noted));
}

/**
 * The faults of a command by the plan that the server itself explains. Where an index gives the order and another one
 * leaves a few documents, the planner may sort these: no fault.
 */
async function faultsHere(noted: NotedCommand): Promise<Fault[]> {
  const stages = await stagesOf(noted, explainable(noted));
  const { changes, findAndModify } = noted.command;
  const isWrite = changes !== undefined || findAndModify !== undefined;
  const isNamed = shardKeyOf(noted).every((field) => noted.fields.has(field));
  const faults: Fault[] = isWrite && !isNamed ? ['NO_SHARD_KEY'] : [];
  if (stages.has('COLLSCAN')) faults.push('COLLSCAN');
  if (stages.has('SORT') && (await faultsInMongodb(noted)).includes('SORT')) faults.push('SORT');
  return faults;
}

/** Reports how a command is badly served, unless an exception explains it. */
async function complaint(noted: NotedCommand): Promise<string | null> {
  const faults = await (engine === 'mongodb' ? faultsInMongodb(noted) : faultsHere(noted));
  const bad = faults.filter((fault) => exceptionFor(noted, fault) === undefined);
  return bad.length === 0
    ? null
    : `${bad.join()} ${JSON.stringify({ ...explainable(noted), projection: undefined })}`;
}

describe.each([...new Set(commands.map(({ collection }) => collection))].sort())('%s', (collection) => {
  it(`serves each command by an index`, async () => {
    const documents = manyLike(samples.get(collection) ?? [], companies, DOCUMENTS);
    await insert(collection, documents);
    const complaints: string[] = [];
    for (const one of commands.filter((noted) => noted.collection === collection)) {
      const found = await complaint(one);
      if (found !== null) complaints.push(found);
    }
    expect(complaints).toEqual([]);
  });
});

it('is about the commands of all tests, to collections that the start creates', () => {
  expect(commands.length).toBeGreaterThan(0);
  const others = commands.map(({ collection }) => collection).filter((name) => !shardKeys.has(name));
  expect([...new Set(others)].filter((name) => !name.endsWith('_of_test'))).toEqual([]);
  writeFileSync(join(dir, 'explained'), String(commands.length));
});

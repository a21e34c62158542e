/**
 * Notes the commands that are sent to MongoDB while tests run: one sample of each distinct shape, in a file for each
 * process in the folder that COMMANDS_DIR names. `test/explain` asks the database afterwards how it would serve them.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** Commands that read or change what a filter finds, and what else of each of them is kept. */
/** @type {Record<string, string[]>} */
const KEPT = {
  find: ['filter', 'sort', 'projection', 'limit', 'skip'],
  aggregate: ['pipeline'],
  distinct: ['key', 'query'],
  findAndModify: ['query', 'sort', 'update', 'remove'],
};

/** Fields that differ between commands of one shape, or repeat the shape in another form. */
const VARIABLE = new Set(['filter', 'query', 'pipeline', 'update', 'skip', 'limit']);

/** Documents of each collection that are kept, to make many like them. */
const SAMPLES = 3;

/** Where service code lies, as sources and compiled; the rest of a stack are tests and libraries. */
const SERVICE = /[\\/](libs|apps)[\\/](?!testing)/;

/**
 * @param {any} driver the `mongodb` module that the service has loaded
 * @param {{dir: string, name: string, onlyService: boolean}} options onlyService: whether commands that tests send
 *   themselves, in the same process, are left out
 */
export function listenTo(driver, { dir, name, onlyService }) {
  const { MongoClient, BSON } = driver;
  if (MongoClient.prototype.noted === true) return;
  const known = new Set();
  const samples = new Map();
  const file = join(dir, `${name}.jsonl`);
  const connect = MongoClient.prototype.connect;
  /** @param {object} entry */
  const write = (entry) => appendFileSync(file, `${BSON.EJSON.stringify(entry, { relaxed: false })}\n`);
  /** @param {{command: any, commandName: string}} event */
  const note = ({ command, commandName }) => {
    for (const { collection, document } of documentsIn(commandName, command)) {
      const seen = samples.get(collection) ?? 0;
      if (seen < SAMPLES) write({ sample: collection, document });
      samples.set(collection, seen + 1);
    }
    for (const kept of commandsIn(commandName, command)) {
      const key = JSON.stringify(shapeOf(kept));
      if (known.has(key)) continue;
      if (onlyService && !SERVICE.test(stackHere())) continue;
      known.add(key);
      write({ key, command: kept });
    }
  };
  MongoClient.prototype.noted = true;
  MongoClient.prototype.connect = function noted(/** @type {unknown[]} */ ...args) {
    if (!this.monitorCommands) {
      this.monitorCommands = true;
      this.on('commandStarted', note);
    }
    return connect.apply(this, args);
  };
}

function stackHere() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const { stack } = new Error();
  Error.stackTraceLimit = limit;
  return stack ?? '';
}

/**
 * The first document that a command inserts into each collection.
 *
 * @param {string} name
 * @param {any} command
 * @returns {{ collection: string, document: object }[]}
 */
function documentsIn(name, command) {
  if (name === 'insert')
    return command.documents?.length > 0
      ? [{ collection: command.insert, document: command.documents[0] }]
      : [];
  if (name !== 'bulkWrite') return [];
  const found = new Map();
  for (const { collection, op } of operationsIn(command))
    if (op.insert !== undefined && !found.has(collection)) found.set(collection, op.document);
  return [...found].map(([collection, document]) => ({ collection, document }));
}

/**
 * The operations of a `bulkWrite`, each with the collection that it is made in.
 *
 * @param {any} command
 * @returns {{ collection: string, op: any }[]}
 */
function operationsIn({ ops, nsInfo }) {
  const namespaces = listOf(nsInfo).map(({ ns }) => ns.slice(ns.indexOf('.') + 1));
  return listOf(ops).map((op) => ({ collection: namespaces[op.insert ?? op.update ?? op.delete], op }));
}

/**
 * The driver shows some lists as they are sent.
 *
 * @param {any} sequence
 * @returns {any[]}
 */
function listOf(sequence) {
  return Array.isArray(sequence) ? sequence : sequence.documents;
}

/**
 * The parts of a command that decide how it is served; several for one that makes several changes.
 *
 * @param {string} name
 * @param {any} command
 * @returns {object[]}
 */
function commandsIn(name, command) {
  const kept = KEPT[name];
  if (kept !== undefined) {
    const entries = kept.filter((key) => command[key] !== undefined).map((key) => [key, command[key]]);
    return [{ [name]: command[name], ...Object.fromEntries(entries) }];
  }
  if (name === 'update')
    return (command.updates ?? []).map((/** @type {any} */ { q, multi, upsert }) => ({
      find: command.update,
      filter: q,
      ...(multi ? {} : { limit: 1 }),
      changes: upsert ? 'upsert' : 'update',
    }));
  if (name === 'bulkWrite')
    return operationsIn(command)
      .filter(({ op }) => op.update !== undefined)
      .map(({ collection, op: { filter, multi, upsert } }) => ({
        find: collection,
        filter,
        ...(multi ? {} : { limit: 1 }),
        changes: upsert ? 'upsert' : 'update',
      }));
  if (name === 'delete')
    return (command.deletes ?? []).map((/** @type {any} */ { q }) => ({
      find: command.delete,
      filter: q,
      changes: 'delete',
    }));
  return [];
}

/**
 * A command with the kinds of its values in their place, so that all that differ by values only are one.
 *
 * @param {any} command
 */
function shapeOf(command) {
  const { filter, query, pipeline, limit } = command;
  const rest = Object.entries(command).filter(([name]) => !VARIABLE.has(name));
  return {
    ...Object.fromEntries(rest),
    limit: limit !== undefined && limit !== 0,
    filter: kindsOf(filter ?? query ?? {}),
    pipeline: (pipeline ?? []).map((/** @type {any} */ stage) => {
      const [name = ''] = Object.keys(stage);
      if (name === '$match') return { $match: kindsOf(stage.$match) };
      if (name === '$geoNear') return { $geoNear: kindsOf(stage.$geoNear.query ?? {}) };
      return name === '$sort' ? stage : name;
    }),
  };
}

/**
 * @param {any} value
 * @returns {unknown}
 */
function kindsOf(value) {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) {
    const kinds = value.map((one) => JSON.stringify(kindsOf(one)));
    return [...new Set(kinds)].sort().map((kind) => JSON.parse(kind));
  }
  if (value instanceof Date) return 'date';
  if (typeof value !== 'object') return typeof value;
  if (value._bsontype !== undefined) return value._bsontype;
  if (Object.prototype.toString.call(value) === '[object RegExp]') return 'regex';
  const entries = Object.entries(value).map(([key, one]) => [key, kindsOf(one)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

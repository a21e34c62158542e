import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { mongo } from 'mongoose';

/** One command of each shape that the tests had the database execute; see scripts/jest/command-listener.mjs. */
export interface NotedCommand {
  readonly collection: string;
  readonly command: Readonly<Record<string, unknown>>;
  readonly filter: Readonly<Record<string, unknown>>;
  /** The fields of the filter, those of nested parts that must hold too among them. */
  readonly fields: ReadonlySet<string>;
}

export interface Noted {
  readonly commands: readonly NotedCommand[];
  /** Documents as the service inserts them, by collection. */
  readonly samples: ReadonlyMap<string, readonly Record<string, unknown>[]>;
}

interface Entry {
  readonly key?: string;
  readonly command?: Record<string, unknown>;
  readonly sample?: string;
  readonly document?: Record<string, unknown>;
}

/** A larger document is not taken as a sample: thousands like it would fill the memory. */
const MAX_SAMPLE_LENGTH = 10_000;

export function readNoted(dir: string): Noted {
  const commands = new Map<string, NotedCommand>();
  const samples = new Map<string, Record<string, unknown>[]>();
  for (const file of readdirSync(dir).filter((name) => name.endsWith('.jsonl'))) {
    // A process that was killed may have left its last line unfinished.
    for (const line of readFileSync(join(dir, file), 'utf8')
      .split('\n')
      .filter((text) => text.endsWith('}'))) {
      if (line.startsWith('{"sample"') && line.length > MAX_SAMPLE_LENGTH) continue;
      const { key, command, sample, document } = mongo.BSON.EJSON.parse(line, { relaxed: true }) as Entry;
      if (sample !== undefined && document !== undefined) {
        samples.set(sample, [...(samples.get(sample) ?? []), document]);
      }
      if (key !== undefined && command !== undefined) commands.set(key, noted(command));
    }
  }
  return { commands: [...commands.values()], samples };
}

const NAMES = ['find', 'aggregate', 'distinct', 'findAndModify'];

function noted(command: Record<string, unknown>): NotedCommand {
  const name = NAMES.find((one) => command[one] !== undefined) ?? '';
  const [first] = (command['pipeline'] ?? []) as Record<string, Record<string, unknown>>[];
  const filter = command['filter'] ?? command['query'] ?? first?.['$match'] ?? first?.['$geoNear']?.['query'];
  const asked = (filter ?? {}) as Record<string, unknown>;
  return { collection: String(command[name]), command, filter: asked, fields: new Set(fieldsOf(asked)) };
}

function fieldsOf({ $and: parts, ...fields }: Record<string, unknown>): string[] {
  return [...Object.keys(fields), ...((parts ?? []) as Record<string, unknown>[]).flatMap(fieldsOf)];
}

import { closeSync, createReadStream, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export const TABLES = ['records', 'answers', 'events', 'owed'] as const;

/** The new value of an id in a table; null where the id was removed. */
export type Change = readonly [table: (typeof TABLES)[number], id: string, value: unknown];

export interface Journal {
  /** Writes one line. A line that was written survives the death of the process, not of the machine. */
  append(changes: readonly Change[]): void;
  close(): void;
}

export const MEMORY: Journal = { append: () => undefined, close: () => undefined };

/** Replays the file, replaces it by the changes that are still needed, and appends to it from then on. */
export async function openJournal(
  path: string,
  apply: (change: Change) => void,
  needed: () => Iterable<Change>,
): Promise<Journal> {
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path)) for await (const changes of linesOf(path)) changes.forEach(apply);
  const fd = openSync(`${path}.new`, 'w');
  for (const change of needed()) writeLine(fd, [change]);
  renameSync(`${path}.new`, path);
  let open = true;
  return {
    append: (changes) => {
      if (!open) throw new Error('The journal is closed');
      writeLine(fd, changes);
    },
    close: () => {
      open = false;
      closeSync(fd);
    },
  };
}

/** A line feed on both sides keeps a line apart from one that a full disk has cut off. */
function writeLine(fd: number, changes: readonly Change[]): void {
  const bytes = Buffer.from(`\n${JSON.stringify(changes)}\n`);
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
}

async function* linesOf(path: string): AsyncGenerator<readonly Change[]> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield changesIn(line);
  }
}

/** A line that was cut off was never acknowledged, and does not parse. */
function changesIn(text: string): readonly Change[] {
  try {
    return JSON.parse(text) as Change[];
  } catch {
    return [];
  }
}

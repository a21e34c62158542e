import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';

import { JSONParser } from '@streamparser/json-node';

import { isImported, type ImportedObject } from './stripe-objects.js';

/** The longest first line that may belong to a file of lines. */
const FIRST_LINE = 1_048_576;

/**
 * Yields the objects in a file of any size: one or several lists as Stripe's API returns them, lists as members of one
 * value, or a file with an object or a list on each line.
 * @throws Error that names the file when it is not JSON
 */
export async function* objectsIn(path: string): AsyncGenerator<ImportedObject> {
  try {
    yield* (await isFileOfLines(path)) ? objectsOfLines(path) : objectsOfLists(path);
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

async function* objectsOfLines(path: string): AsyncGenerator<ImportedObject> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const value = JSON.parse(line) as { data?: unknown };
    const found = Array.isArray(value.data) ? (value.data as unknown[]) : [value];
    yield* found.filter(isImported);
  }
}

async function* objectsOfLists(path: string): AsyncGenerator<ImportedObject> {
  const parser = new JSONParser({ paths: ['$.data.*', '$.*.data.*'], keepStack: false, separator: '' });
  const input = createReadStream(path);
  input.once('error', (error) => parser.destroy(error));
  for await (const { value } of input.pipe(parser) as AsyncIterable<{ value?: unknown }>) {
    if (isImported(value)) yield value;
  }
}

/** True when the first line is a complete value and another line follows. */
async function isFileOfLines(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_LINE), 0, FIRST_LINE, 0);
    const text = buffer.toString('utf8', 0, bytesRead).trimStart();
    const end = text.indexOf('\n');
    const first = JSON.parse(end === -1 ? text : text.slice(0, end)) as unknown;
    return isImported(first) || (end !== -1 && text.slice(end).trim() !== '');
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  } finally {
    await file.close();
  }
}

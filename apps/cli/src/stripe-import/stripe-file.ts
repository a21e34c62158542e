import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';

import { JSONParser } from '@streamparser/json-node';

import { isImported, type ImportedObject } from './stripe-objects.js';

/** A first line that is longer is no line of a file of lines. */
const FIRST_LINE = 1_048_576;

/**
 * The objects in a file, one after the other, however large it is: lists as Stripe's API gives them, one after the
 * other or as members of one value, or a file in which each line is an object or a list.
 * @throws Error that names the file where it is not JSON
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

/** Whether the first line is a value by itself, and another one follows. */
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

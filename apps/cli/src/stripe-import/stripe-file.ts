import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';

import { JSONParser } from '@streamparser/json-node';

import { Pages, isList } from './pages.js';
import { isImported, isImportedKind, type ImportedObject } from './stripe-objects.js';

/** The longest first line that may belong to a file of lines. */
const FIRST_LINE = 1_048_576;

/** The number of values around an object in a list, at most: the list's data, the list, and what holds the list. */
const LISTED = 3;

/** The kinds of the objects in the outer values. */
const KINDS = ['$.object', '$.*.object'];

/** How objects lie in a file that has no object per line. */
interface Form {
  readonly paths: readonly string[];
  /** The number of values around an object. */
  readonly depth: number;
}

const LISTS: Form = {
  paths: [
    '$.data.*',
    '$.*.data.*',
    ...['url', 'has_more', 'error'].flatMap((key) => [`$.${key}`, `$.*.${key}`]),
  ],
  depth: LISTED,
};

/**
 * Yields the objects in a file of any size: one or several lists as Stripe's API returns them, lists as members of one
 * value, arrays, or a file with a value on each line.
 * @throws Error that names the file when it is not JSON, lacks pages, has an answer that is an error, or nothing to import
 */
export async function* objectsIn(path: string): AsyncGenerator<ImportedObject> {
  const pages = new Pages();
  let found = false;
  try {
    const objects = (await isFileOfLines(path)) ? objectsOfLines(path, pages) : objectsOfValues(path, pages);
    for await (const object of objects) {
      found ||= object.object !== 'price' && object.object !== 'coupon';
      yield object;
    }
    pages.requireLast();
    if (!found) {
      throw new Error(
        'it holds no customer, product or subscription of Stripe: prices and coupons are no import',
      );
    }
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

async function* objectsOfLines(path: string, pages: Pages): AsyncGenerator<ImportedObject> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  for await (const line of lines) {
    // A byte order mark is white space, too.
    const text = line.trim();
    if (text !== '') yield* objectsOf(JSON.parse(text), pages);
  }
}

async function* objectsOfValues(path: string, pages: Pages): AsyncGenerator<ImportedObject> {
  const form = await formOf(path);
  if (form === null) return;
  for await (const { key, value, stack } of valuesAt(path, [...form.paths, ...KINDS])) {
    const depth = stack.length;
    if (key === 'object' && isImportedKind(value) && depth < form.depth) {
      throw new Error(`a ${value} stands outside a list: write each object on a line of its own`);
    }
    if (key === 'error') refuseError(value);
    if (form !== LISTS || typeof value === 'object') yield* objectsOf(value, pages);
    else pages.read(stack.map((outer) => String(outer.key)).join('.'), key, value);
  }
}

/** Yields the imported objects in a value; null members and other objects are ignored. */
function* objectsOf(value: unknown, pages: Pages): Generator<ImportedObject> {
  if (isImported(value)) yield value;
  else if (Array.isArray(value)) for (const one of value) yield* objectsOf(one, pages);
  else if (isList(value)) {
    pages.add(value);
    yield* objectsOf(value.data, pages);
  } else if (typeof value === 'object' && value !== null && !('object' in value)) {
    if ('error' in value) refuseError(value.error);
    yield* objectsOf(Object.values(value), pages);
  }
}

/** An answer of Stripe that is an error, in the place of a list: some objects would be missing. */
function refuseError(error: unknown): void {
  const { type, message } = (error ?? {}) as { readonly type?: unknown; readonly message?: unknown };
  if (typeof type !== 'string') return;
  throw new Error(`Stripe answered a request with an error: ${typeof message === 'string' ? message : type}`);
}

/** The form of the first list or object to import; null when there is none. */
async function formOf(path: string): Promise<Form | null> {
  const paths = [...KINDS, '$.*.*.object', '$.*.data.*.object', '$.error'];
  for await (const { key, value, stack } of valuesAt(path, paths)) {
    if (key === 'error') refuseError(value);
    const isListed = stack.some(({ key }) => key === 'data');
    const depth = stack.length;
    if (isImportedKind(value)) {
      return isListed ? LISTS : { paths: [['$', ...Array<string>(depth - 1).fill('*')].join('.')], depth };
    }
    if (value === 'list' && depth < LISTED) return LISTS;
  }
  return null;
}

interface ParsedValue {
  readonly key?: unknown;
  readonly value?: unknown;
  readonly stack: readonly { readonly key?: unknown }[];
}

async function* valuesAt(path: string, paths: string[]): AsyncGenerator<ParsedValue> {
  const parser = new JSONParser({ paths, keepStack: false, separator: '' });
  const input = createReadStream(path);
  input.once('error', (error) => parser.destroy(error));
  try {
    yield* input.pipe(parser) as AsyncIterable<ParsedValue>;
  } finally {
    input.destroy();
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

import { Fault, fieldFault } from '@commerce/kernel';

import { isStorable } from './storable.js';

export const FREE_JSON_LIMITS = { bytes: 64 * 1024, depth: 32, keys: 1000 };

/**
 * JSON whose shape belongs to the caller. It is kept as text, so that keys such as `$gt`, `a.b` or `__proto__` have no
 * meaning for the database and round-trip, and no walker mistakes a value in it for an id or a date.
 */
export class FreeJson {
  private constructor(readonly text: string) {}

  /**
   * Wraps a parsed JSON value.
   * @throws Fault `value.too_large` beyond 64 KiB as text, 32 levels or 1,000 keys; `value.invalid` for text that the
   * database cannot round-trip (NUL, half of a surrogate pair) and numbers beyond a double
   */
  static of(value: unknown, path: string): FreeJson {
    const refusal = refusalOf(value, path);
    if (refusal) throw refusal;
    const text = JSON.stringify(value);
    if (Buffer.byteLength(text) > FREE_JSON_LIMITS.bytes) {
      throw fieldFault(path, `${path} must not be larger than 64 KiB`, 'value.too_large');
    }
    return new FreeJson(text);
  }

  /** Wraps text that this class produced earlier, as the database holds it. */
  static stored(text: string): FreeJson {
    return new FreeJson(text);
  }

  get value(): unknown {
    return JSON.parse(this.text) as unknown;
  }

  /** Lets JSON.stringify render the value itself. */
  toJSON(): unknown {
    return this.value;
  }
}

/** Walks with a stack of its own: a recursion would end in a RangeError before it could refuse the depth. */
function refusalOf(root: unknown, path: string): Fault | null {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  let keys = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { value } = at;
    if (typeof value === 'string' && !isStorable(value)) return unstorable(path);
    // 1e400 is Infinity once it is parsed, and would be written as null.
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return fieldFault(path, `${path} must not contain numbers beyond the range of a double`);
    }
    if (typeof value !== 'object' || value === null) continue;
    const depth = at.depth + 1;
    if (depth > FREE_JSON_LIMITS.depth) {
      return fieldFault(path, `${path} must not be nested deeper than 32 levels`, 'value.too_large');
    }
    if (Array.isArray(value)) {
      for (const one of value) open.push({ value: one, depth });
      continue;
    }
    for (const [key, one] of Object.entries(value)) {
      keys += 1;
      if (!isStorable(key)) return unstorable(path);
      open.push({ value: one, depth });
    }
    if (keys > FREE_JSON_LIMITS.keys) {
      return fieldFault(path, `${path} must not have more than 1,000 keys`, 'value.too_large');
    }
  }
  return null;
}

function unstorable(path: string): Fault {
  return fieldFault(path, `${path} must not contain NUL or half of a surrogate pair`);
}

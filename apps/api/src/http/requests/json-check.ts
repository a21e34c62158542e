import { fault, type Fault } from '@commerce/kernel';
import { FREE_JSON_LIMITS, isStorable } from '@commerce/records';

const { depth: MAX_DEPTH, keys: MAX_KEYS } = FREE_JSON_LIMITS;
const MAX_ELEMENTS = 10_000;

/** A list or an object of the body that is still to be checked. */
interface Place {
  readonly value: object;
  readonly key: string;
  readonly parent: Place | null;
  readonly depth: number;
  readonly counted: Counted;
}

/** The counts of object keys and of list elements. */
interface Counted {
  keys: number;
  elements: number;
}

/**
 * Refuses a parsed body that holds values no field may hold. One pass visits each value once and stops at the first
 * value beyond a limit.
 * @throws Fault `value.invalid` with the path of the value
 */
export function checkJson(body: unknown): void {
  const open: Place[] = [];
  look(body, '', null, open);
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (Array.isArray(place.value)) lookIntoList(place.value, place, open);
    else lookIntoObject(place.value as Record<string, unknown>, place, open);
  }
}

function lookIntoList(list: readonly unknown[], place: Place, open: Place[]): void {
  place.counted.elements += list.length;
  if (place.counted.elements > MAX_ELEMENTS) throw refused('has more than 10,000 elements in lists', place);
  list.forEach((one, index) => {
    look(one, index, place, open);
  });
}

function lookIntoObject(object: Readonly<Record<string, unknown>>, place: Place, open: Place[]): void {
  const keys = Object.keys(object);
  place.counted.keys += keys.length;
  if (place.counted.keys > MAX_KEYS) throw refused(`has more than ${String(MAX_KEYS)} keys`, place);
  for (const key of keys) {
    if (!isStorable(key)) throw unstorable(key, place);
    look(object[key], key, place, open);
  }
}

function look(value: unknown, key: string | number, parent: Place | null, open: Place[]): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw unstorable(value, parent, key);
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refused('is too large a number', parent, key);
  } else if (typeof value === 'object' && value !== null) {
    const depth = (parent?.depth ?? 0) + 1;
    if (depth > MAX_DEPTH) throw refused(`is nested deeper than ${String(MAX_DEPTH)} levels`, parent, key);
    open.push({ value, key: String(key), parent, depth, counted: countedIn(parent) });
  }
}

/** Each element of a top-level list, as in bulk routes, counts as a body of its own. */
function countedIn(parent: Place | null): Counted {
  if (parent === null || (parent.parent === null && Array.isArray(parent.value)))
    return { keys: 0, elements: 0 };
  return parent.counted;
}

function unstorable(text: string, parent: Place | null, key: string | number = ''): Fault {
  return refused(
    text.includes('\0') ? 'holds the character NUL' : 'holds half a surrogate pair',
    parent,
    key,
  );
}

function refused(reason: string, parent: Place | null, key: string | number = ''): Fault {
  const keys = [String(key)];
  for (let place = parent; place !== null; place = place.parent) keys.unshift(place.key);
  const path = keys
    .filter((one) => one !== '')
    .join('.')
    .replace(/[\uD800-\uDFFF\0]/gu, '')
    .slice(0, 200);
  const message = `${path === '' ? 'The body' : path} ${reason}`;
  return fault('value.invalid', message, { errors: [{ path, code: 'value.invalid', message }] });
}

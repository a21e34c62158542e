import { fault, type FieldError } from '@commerce/kernel';

import { readInstant } from '../time/instant.js';
import { parseId } from './fields/id.js';
import type { Filter, PageQuery } from './page.js';
import type { RawQuery } from './query.js';

/** What a list lets its callers ask for. */
export interface PageRules {
  /** Fields that may be sorted by; the first is the default unless `sort` says otherwise. */
  readonly sortable: readonly string[];
  readonly sort?: string;
  /** Names of date_filter and the fields behind them; the first is the default. */
  readonly dates: Readonly<Record<string, string>>;
  /** Further parameters of this list, which its service reads itself. */
  readonly others?: readonly string[];
}

const MAX_SIZE = 100;
const MAX_DEPTH = 10_000;

/**
 * Reads size, page, after, sort, from_date, to_date and date_filter.
 * @throws Fault `value.invalid` with one entry in `errors` for each bad parameter
 */
export function readPage(raw: RawQuery, rules: PageRules): PageQuery {
  const errors: FieldError[] = [];
  const bad = (path: string, message: string): void => {
    errors.push({ path, code: 'value.invalid', message: `${path} ${message}` });
  };
  const known = [
    'size',
    'page',
    'after',
    'sort',
    'from_date',
    'to_date',
    'date_filter',
    ...(rules.others ?? []),
  ];
  for (const key of Object.keys(raw)) {
    if (!known.includes(key))
      errors.push({ path: key, code: 'field.unknown', message: `${key} is not a parameter here` });
    else if (typeof raw[key] !== 'string') bad(key, 'must be given once');
  }
  const size = whole(raw['size'], 10);
  if (size === null || size < 1 || size > MAX_SIZE)
    bad('size', `must be a whole number from 1 to ${String(MAX_SIZE)}`);
  const page = whole(raw['page'], 0);
  if (page === null || page * (size ?? 1) > MAX_DEPTH) {
    bad(
      'page',
      `must be a whole number from 0 with page × size at most ${String(MAX_DEPTH)}; beyond that use after`,
    );
  }
  const after = typeof raw['after'] === 'string' ? parseId(raw['after']) : null;
  if (raw['after'] !== undefined && after === null) bad('after', 'must be the id of a record');
  const sort = readSort(raw['sort'], rules);
  if (sort === null)
    bad('sort', `must be one of ${rules.sortable.join(', ')}, with - before it for descending`);
  const filter = readDates(raw, rules, bad);
  if (errors.length > 0 || size === null || page === null || sort === null) {
    throw fault('value.invalid', errors[0]?.message ?? 'The query is invalid', { errors });
  }
  return { size, page, after, sort, filter };
}

/** A query parameter that says true or false; null when it is absent. */
export function readFlag(raw: RawQuery, name: string): boolean | null {
  const value = raw[name];
  if (value === undefined) return null;
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  const message = `${name} must be true or false`;
  throw fault('value.invalid', message, { errors: [{ path: name, code: 'value.invalid', message }] });
}

function whole(value: unknown, otherwise: number): number | null {
  if (value === undefined) return otherwise;
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : null;
}

function readSort(value: unknown, rules: PageRules): PageQuery['sort'] | null {
  const text = value === undefined ? (rules.sort ?? rules.sortable[0]) : value;
  if (typeof text !== 'string') return null;
  const descending = text.startsWith('-');
  const field = descending ? text.slice(1) : text;
  return rules.sortable.includes(field) ? { field, direction: descending ? -1 : 1 } : null;
}

function readDates(raw: RawQuery, rules: PageRules, bad: (path: string, message: string) => void): Filter {
  const names = Object.keys(rules.dates);
  const name = raw['date_filter'] === undefined ? names[0] : raw['date_filter'];
  const key = typeof name === 'string' ? name.toLowerCase() : '';
  const field = Object.hasOwn(rules.dates, key) ? rules.dates[key] : undefined;
  if (raw['date_filter'] !== undefined && field === undefined)
    bad('date_filter', `must be one of ${names.join(', ')}`);
  const range: Record<string, Date> = {};
  for (const [parameter, operator] of [
    ['from_date', '$gte'],
    ['to_date', '$lt'],
  ] as const) {
    const value = raw[parameter];
    if (value === undefined) continue;
    const instant = typeof value === 'string' && /^\d{1,16}$/.test(value) ? readInstant(Number(value)) : null;
    if (instant === null) bad(parameter, 'must be an integer count of milliseconds since 1970');
    else range[operator] = instant;
  }
  return field !== undefined && Object.keys(range).length > 0 ? { [field]: range } : {};
}

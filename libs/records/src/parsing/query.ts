import type { Type } from '@nestjs/common';
import { fieldFault, type FieldError } from '@commerce/kernel';
import { ValidateBy } from 'class-validator';

import { readInstant } from '@commerce/platform';
import { checkRules, fillDefaults, refuse } from './body.js';
import { fieldsOf, type FieldInfo } from '../fields/fields.js';
import { parseId, type Id } from '../fields/id.js';
import { Integer } from '../fields/number-fields.js';
import { Choice } from '../fields/text-fields.js';
import { Flag, Instant, Ref } from '../fields/value-fields.js';
import type { Filter, PageQuery } from './page-query.js';

/** Raw query parameters: text, or several texts under one name. */
export type RawQuery = Readonly<Record<string, unknown>>;

/** The sorts and dates that a list offers. */
export interface ListParameters {
  /** The fields to sort by: those of the record, `sortsOf`. Without `sort`, the first is the default. */
  readonly sortable: readonly string[];
  /** The default order; `-created` is the newest first. */
  readonly sort?: string;
  /**
   * The dates to which from_date and to_date may apply, by the names that date_filter accepts; the first is the
   * default.
   */
  readonly dates: readonly string[];
  /** Further parameters that define an order: a sort beside one of them is refused. */
  readonly orderedBy?: readonly string[];
}

/** The parameters of a list that has one order only and is never counted. */
export interface UnsortedListQuery {
  readonly size: number;
  readonly page: number;
  readonly after: Id | null;
  readonly from_date: Date | null;
  readonly to_date: Date | null;
  readonly date_filter: string;
}

/** The parameters of all other lists. */
export interface ListQuery extends UnsortedListQuery {
  readonly sort: string;
  readonly total: boolean;
}

/** Number of records that `page` can skip; `after` reaches the later ones. */
const MAX_SKIPPED = 10_000;

/**
 * The class of a list's query: size, page, after, from_date, to_date, date_filter, sort and total. A list with further
 * parameters extends it with fields of its own, by the same decorators as records and bodies.
 */
export function listQuery(rules: ListParameters): Type<ListQuery> {
  const { sortable, sort = sortable[0] ?? '', dates, orderedBy = [] } = rules;
  class Query extends unsortedListQuery(dates) implements ListQuery {
    @NotBeside(orderedBy)
    @Choice(sortable.flatMap((field) => [field, `-${field}`]), {
      default: sort,
      fold: 'none',
      description: 'descending with a minus',
    })
    sort: string;

    @Flag({
      default: false,
      description: 'whether X-Total-Count is to say how many records there are, exact up to 10,000',
    })
    total: boolean;
  }
  return Query;
}

/** A parameter that must not be given together with one of these. */
function NotBeside(others: readonly string[]): PropertyDecorator {
  return ValidateBy({
    name: 'isNotBeside',
    validator: {
      validate: (_value, args) => {
        const given = args?.object as Readonly<Record<string, unknown>>;
        return others.every((name) => given[name] === undefined);
      },
      defaultMessage: (args) => `${args?.property ?? ''} must not be given with ${others.join(' and ')}`,
    },
  });
}

/** The same without sort, for a list with a fixed order. */
export function unsortedListQuery(dates: ListParameters['dates']): Type<UnsortedListQuery> {
  class Query implements UnsortedListQuery {
    @Integer({ default: 10, min: 1, max: 100, description: 'records on a page' })
    size: number;

    @Integer({
      default: 0,
      max: MAX_SKIPPED,
      description: 'which page, from 0; page × size is at most 10,000, beyond that use after',
    })
    page: number;

    @Ref('record', {
      optional: true,
      description: 'the records that follow this one; pages without drift',
    })
    after: Id | null;

    @Instant({ optional: true, description: 'from this date on' })
    from_date: Date | null;

    @Instant({ optional: true, description: 'before this date' })
    to_date: Date | null;

    @Choice(dates, {
      default: dates[0],
      fold: 'lower',
      description: 'the date that from_date and to_date mean',
    })
    date_filter: string;
  }
  return Query;
}

/**
 * Parses query parameters into their class: unknown ones, wrong types and values out of range are refused.
 * @throws Fault `value.invalid` with one entry in `errors` for each bad parameter
 */
export function parseQuery<T extends object>(type: Type<T>, raw: RawQuery): T {
  const errors: FieldError[] = [];
  const fields = new Map(fieldsOf(type).map((field) => [field.name, field]));
  const query = Object.create(type.prototype as object) as Record<string, unknown>;
  for (const [name, given] of Object.entries(raw)) {
    const field = fields.get(name);
    if (field === undefined) {
      errors.push({ path: name, code: 'field.unknown', message: `${name} is not a parameter here` });
    } else if (Array.isArray(given) && field.kind !== 'list' && field.kind !== 'ids') {
      errors.push({ path: name, code: 'value.invalid', message: `${name} must be given once` });
    } else {
      query[name] = readParameter(field, given);
    }
  }
  checkRules(query, errors);
  // A required parameter that was given twice has no value: without this filter, it would be reported as missing, too.
  refuse(errors.filter(({ path }, index) => errors.findIndex((error) => error.path === path) === index));
  fillDefaults(type, query);
  return query as T;
}

/** The page of the records matching `filter` that a query asks for. */
export function pageOf(query: ListQuery, filter: Filter = {}): PageQuery {
  const { size, page, after, sort, total, from_date, to_date, date_filter } = query;
  if (page * size > MAX_SKIPPED) {
    throw fieldFault('page', 'page × size must be at most 10,000; beyond that use after');
  }
  const range: Record<string, Date> = {};
  if (from_date !== null) range['$gte'] = from_date;
  if (to_date !== null) range['$lt'] = to_date;
  const descending = sort.startsWith('-');
  return {
    size,
    page,
    after,
    total,
    sort: { field: descending ? sort.slice(1) : sort, direction: descending ? -1 : 1 },
    filter: { ...filter, ...(Object.keys(range).length > 0 ? { [date_filter]: range } : {}) },
  };
}

/** The filter for values of a field between two bounds, which belong to the range; null is no bound. */
export function rangeOf(field: string, least: number | null, most: number | null): Filter {
  if (least === null && most === null) return {};
  return {
    [field]: { ...(least === null ? {} : { $gte: least }), ...(most === null ? {} : { $lte: most }) },
  };
}

/** Parses text to the value that a body would carry. Unparsable text is returned unchanged, for the rules to refuse. */
function readParameter(field: FieldInfo, given: unknown): unknown {
  if (field.kind === 'list' || field.kind === 'ids') {
    const all = Array.isArray(given) ? given : [given];
    return field.read === null ? all : field.read(all);
  }
  if (typeof given !== 'string') return given;
  const value = fromText(field, given);
  return field.read === null ? value : field.read(value);
}

function fromText(field: FieldInfo, text: string): unknown {
  switch (field.kind) {
    case 'number':
      return /^-?\d{1,16}(\.\d{1,20})?$/.test(text) ? Number(text) : text;
    case 'flag':
      if (text === 'true' || text === '1') return true;
      return text === 'false' || text === '0' ? false : text;
    case 'instant':
      return /^\d{1,16}$/.test(text) ? (readInstant(Number(text)) ?? text) : text;
    case 'id':
      return parseId(text) ?? text;
    case 'ids':
    case 'list':
    case 'text':
    case 'choice':
    case 'json':
    case 'nested':
    case 'raw':
      return text;
  }
}

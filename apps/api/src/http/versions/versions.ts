import { fault, type FieldError } from '@commerce/kernel';

import { imageObject } from './2019-09-18-image-object.js';
import { imageReference } from './2019-09-02-image-reference.js';
import { headerNames } from './2019-08-15-webhook-header-names.js';
import type { SentObject, VersionChange } from './version-change.js';

/** The oldest supported version; all changes are stated relative to it. */
export const OLDEST = '2019-02-01';

/** Every change of the API, newest first. */
const CHANGES: readonly VersionChange[] = [imageObject, imageReference, headerNames];

export const NEWEST = CHANGES[0]?.date ?? OLDEST;

const FORM = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The effective version for a requested date: that of the newest change at or before it.
 * @throws Fault `version.invalid` when it is no date, or lies before the oldest version or after `today` (YYYY-MM-DD)
 */
export function resolveVersion(asked: string | undefined, today: string): string {
  if (asked === undefined) return NEWEST;
  if (!isDate(asked) || asked < OLDEST || asked > today) {
    throw fault('version.invalid', `X-Service-Version must be a date from ${OLDEST} to today, as YYYY-MM-DD`);
  }
  return CHANGES.find((change) => change.date <= asked)?.date ?? OLDEST;
}

/** True for calendar days written YYYY-MM-DD. */
function isDate(text: string): boolean {
  const at = FORM.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Converts a rendered reply to the shape of a version. */
export type Shape = (value: unknown) => unknown;

/** The converter to a version: it reverts every later change, newest first. Null is the newest version. */
export function shapeFor(version: string | null): Shape {
  const undone = CHANGES.filter((change) => version !== null && change.date > version && change.reply);
  if (undone.length === 0) return (value) => value;
  return (value) => undone.reduce<unknown>((shaped, change) => each(shaped, change.reply), value);
}

/** Converts the JSON of a reply to the shape of a version. */
export function jsonFor(version: string | null, json: string): string {
  if (version === null || version === NEWEST) return json;
  return JSON.stringify(shapeFor(version)(JSON.parse(json)));
}

/**
 * Converts the body of an older version to the newest shape, oldest change first.
 * @param publicUrl the address at which callers reach the service
 */
export function bodyFrom(version: string, body: unknown, publicUrl: string): unknown {
  return since(version)
    .reverse()
    .reduce<unknown>((shaped, { request }) => {
      return each(shaped, request && ((object) => request(object, publicUrl)));
    }, body);
}

/** Renames the invalid fields of an older version's body to the names that the caller sent. */
export function errorsFrom(version: string, errors: readonly FieldError[], sent: unknown): FieldError[] {
  return errors.map((error) => {
    const [, at = '', path = ''] = INDEXED.exec(error.path) ?? [];
    const object: unknown = Array.isArray(sent) ? sent[Number(at)] : sent;
    if (typeof object !== 'object' || object === null) return error;
    const prefix = Array.isArray(sent) ? `${at}.` : '';
    const own = prefix === '' ? error : { ...error, path };
    const named = since(version).reduce(
      (one, change) => change.error?.(one, object as SentObject) ?? one,
      own,
    );
    return named === own ? error : { ...named, path: prefix + named.path };
  });
}

/** The path of a field in one item of a list. */
const INDEXED = /^(\d+)\.(.*)$/;

function since(version: string): VersionChange[] {
  return CHANGES.filter((change) => change.date > version);
}

type Transform = (object: Record<string, unknown>) => Record<string, unknown>;

/** Applies a transform to an object, or to each object of a list. */
function each(value: unknown, transform: Transform | undefined): unknown {
  if (transform === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => each(one, transform));
  return transform(value as Record<string, unknown>);
}

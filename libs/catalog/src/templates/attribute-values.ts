import { Fault, type FieldError } from '@commerce/kernel';
import type { FreeJson } from '@commerce/records';
import { isEmail } from 'class-validator';

import type { Attribute, AttributeKind } from './attribute.js';

const MAX_TEXT = 16 * 1024;
const MAX_URL = 2048;
const SHOWN_KEY = 64;

const EXPECTED: Readonly<Record<AttributeKind, string>> = {
  string: `a text of at most ${String(MAX_TEXT)} characters`,
  url: 'a URL that begins with http:// or https://',
  email: 'an email address',
  int: 'a whole number',
  float: 'a number',
  boolean: 'true or false',
};

/** True when there are no values. */
export function isEmptyValues(values: FreeJson): boolean {
  return entries(values).length === 0;
}

/**
 * Checks the attribute values of a record against the attributes of its template.
 * @throws Fault with one entry in `errors` for each value of an unknown attribute or of the wrong kind
 */
export function checkValues(values: FreeJson, attributes: readonly Attribute[]): void {
  const kinds = new Map(attributes.map(({ key, kind }) => [key, kind]));
  const errors = entries(values).flatMap(([key, value]): FieldError[] => {
    const kind = kinds.get(key);
    const path = `attributes.${key.slice(0, SHOWN_KEY)}`;
    if (kind === undefined) {
      const message = `${path} is not an attribute of the template of products`;
      return [{ path, code: 'attribute.unknown', message }];
    }
    if (isOfKind(kind, value)) return [];
    return [{ path, code: 'value.invalid', message: `${path} must be ${EXPECTED[kind]}` }];
  });
  if (errors[0]) throw new Fault(errors[0].code, errors[0].message, { errors });
}

function entries(values: FreeJson): [string, unknown][] {
  return Object.entries(values.value as object);
}

function isOfKind(kind: AttributeKind, value: unknown): boolean {
  switch (kind) {
    case 'string':
      return typeof value === 'string' && value.length <= MAX_TEXT;
    case 'url':
      return typeof value === 'string' && isWebUrl(value);
    case 'email':
      return typeof value === 'string' && isEmail(value);
    case 'int':
      return Number.isSafeInteger(value);
    case 'float':
      return typeof value === 'number' && Number.isFinite(value);
    case 'boolean':
      return typeof value === 'boolean';
  }
}

/** URL parsers tolerate missing slashes, surrounding spaces and line breaks; clients that display the URL may not. */
function isWebUrl(text: string): boolean {
  return text.length <= MAX_URL && /^https?:\/\/[^\s/]\S*$/i.test(text) && URL.canParse(text);
}

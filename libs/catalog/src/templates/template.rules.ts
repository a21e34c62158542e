import { randomBytes } from 'node:crypto';

import { Fault, readableId, type FieldError } from '@commerce/kernel';

import type { Attribute, GivenAttribute, NewAttribute } from './attribute.js';

/**
 * The attributes of a new template.
 * @throws Fault `attribute.repeated` naming each attribute whose key is repeated
 */
export function newAttributes(given: readonly NewAttribute[]): Attribute[] {
  refuse(repeated(given));
  return identified(given.map(({ key, kind }) => ({ key, kind, human_id: null })));
}

/**
 * The attributes of a template after an update. Attributes can only be added, because records hold values of the
 * existing ones.
 * @throws Fault with one entry in `errors` for each existing attribute that is missing or changed
 */
export function changedAttributes(
  before: readonly Attribute[],
  given: readonly GivenAttribute[],
): Attribute[] {
  const known = new Map(before.map((attribute) => [attribute.human_id, attribute]));
  const errors = given.flatMap(({ key, kind, human_id }, index): FieldError[] => {
    if (human_id === null) return [];
    const at = `attributes.${String(index)}`;
    const attribute = known.get(human_id);
    if (attribute === undefined) {
      return [
        bad(`${at}.human_id`, 'attribute.unknown', 'is not the human_id of an attribute of this template'),
      ];
    }
    return [
      ...(key === attribute.key ? [] : [bad(`${at}.key`, 'attribute.key_fixed', 'cannot be changed')]),
      ...(kind === attribute.kind ? [] : [bad(`${at}.kind`, 'attribute.kind_fixed', 'cannot be changed')]),
    ];
  });
  const kept = new Set(given.map(({ human_id }) => human_id));
  for (const { key, human_id } of before) {
    if (kept.has(human_id)) continue;
    const reason = `must contain ${key} with its human_id ${human_id}; attributes cannot be removed`;
    errors.push(bad('attributes', 'attribute.missing', reason));
  }
  refuse([...errors, ...repeated(given)]);
  return identified(given);
}

function repeated(given: readonly NewAttribute[]): FieldError[] {
  const seen = new Set<string>();
  return given.flatMap(({ key }, index) => {
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [bad(`attributes.${String(index)}.key`, 'attribute.repeated', 'is used by another attribute')];
  });
}

/** Assigns a short id to the attributes without one. */
function identified(given: readonly GivenAttribute[]): Attribute[] {
  const taken = new Set(given.map(({ human_id }) => human_id));
  return given.map(({ key, kind, human_id }) => {
    let id = human_id ?? readableId(randomBytes);
    while (human_id === null && taken.has(id)) id = readableId(randomBytes);
    taken.add(id);
    return { key, kind, human_id: id };
  });
}

function bad(path: string, code: string, reason: string): FieldError {
  return { path, code, message: `${path} ${reason}` };
}

function refuse(errors: readonly FieldError[]): void {
  if (errors[0]) throw new Fault(errors[0].code, errors[0].message, { errors });
}

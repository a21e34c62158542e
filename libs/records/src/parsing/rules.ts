import {
  getMetadataStorage,
  ValidationTypes,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';

import type { FieldedClass } from '../fields/fields.js';

type ValidationRule = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** One field's rules: they apply when all of its conditions hold. */
interface FieldRules {
  readonly name: string;
  readonly conditions: readonly ((object: object, value: unknown) => boolean)[];
  readonly checks: readonly Check[];
  readonly nested: boolean;
}

interface Check {
  readonly constraint: ValidatorConstraintInterface;
  readonly each: boolean;
  readonly constraints: ValidationArguments['constraints'];
}

const compiled = new WeakMap<FieldedClass, readonly FieldRules[] | null>();

/**
 * True when class-validator would accept the value. The rules are the same but looked up once per class, which
 * class-validator repeats for every value at a higher cost than all rules together; false also for an unknown kind of
 * rule, so that class-validator decides.
 */
export function passesRules(value: object): boolean {
  const type = value.constructor as FieldedClass;
  let fields = compiled.get(type);
  if (fields === undefined) {
    fields = compile(type);
    compiled.set(type, fields);
  }
  return fields !== null && fields.every((field) => passesField(field, value));
}

function passesField(field: FieldRules, object: object): boolean {
  const property = field.name;
  const value = (object as Record<string, unknown>)[property];
  for (const condition of field.conditions) if (!condition(object, value)) return true;
  for (const { constraint, each, constraints } of field.checks) {
    const args = { value, constraints, targetName: object.constructor.name, object, property };
    if (!each || !Array.isArray(value)) {
      if (constraint.validate(value, args) !== true) return false;
    } else {
      for (const one of value) if (constraint.validate(one, args) !== true) return false;
    }
  }
  if (!field.nested || value === undefined || value === null) return true;
  return Array.isArray(value) ? value.every(passesNested) : passesNested(value);
}

function passesNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && passesRules(value);
}

function compile(type: FieldedClass): readonly FieldRules[] | null {
  const storage = getMetadataStorage();
  const byField = storage.groupByPropertyName(storage.getTargetValidationMetadatas(type, '', false, false));
  const fields: FieldRules[] = [];
  for (const [name, rules] of Object.entries(byField)) {
    const field = fieldRules(name, rules);
    if (field === null) return null;
    fields.push(field);
  }
  return fields;
}

function fieldRules(name: string, rules: readonly ValidationRule[]): FieldRules | null {
  const conditions: FieldRules['conditions'][number][] = [];
  const checks: Check[] = [];
  let nested = false;
  for (const rule of rules) {
    if (rule.type === ValidationTypes.CONDITIONAL_VALIDATION) {
      conditions.push(rule.constraints[0] as FieldRules['conditions'][number]);
    } else if (rule.type === ValidationTypes.NESTED_VALIDATION) {
      nested = true;
    } else if (rule.type === ValidationTypes.CUSTOM_VALIDATION && !(rule.validateIf as unknown)) {
      for (const found of getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls)) {
        if (found.async) return null;
        checks.push({ constraint: found.instance, each: rule.each, constraints: rule.constraints });
      }
    } else {
      return null;
    }
  }
  return { name, conditions, checks, nested };
}

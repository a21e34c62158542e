import { createBody, updateBody } from './body.js';
import type { FreeJson } from '../fields/free-json.js';
import type { Id } from '../fields/id.js';
import { ListOf, Nested, Numbers, Refs, Texts } from '../fields/list-fields.js';
import { Amount, Decimal, Fraction, Integer } from '../fields/number-fields.js';
import { Choice, Currency, Email, Text } from '../fields/text-fields.js';
import { AnyJson, Flag, Instant, Ref } from '../fields/value-fields.js';

/** A record with a field of every kind. */
export class Part {
  @Text()
  name: string;

  @Fraction({ default: 0 })
  discount: number;

  @Choice(['red', 'blue'], { fold: 'lower', optional: true })
  colour: string | null;
}

export class Box {
  @ListOf(() => Part, { max: 2 })
  parts: Part[];
}

export class Thing {
  @Text({ min: 1, max: 5 })
  name: string;

  @Currency()
  currency: string;

  @Amount({ default: 1.5 })
  price: number;

  @Integer({ optional: true, min: 1, max: 9 })
  count: number | null;

  @Decimal({ optional: true })
  weight: number | null;

  @Flag({ default: true })
  active: boolean;

  @Choice(['DAY', 'MONTH'], { default: 'MONTH' })
  unit: string;

  @Instant({ optional: true })
  since: Date | null;

  @Ref('thing', { optional: true })
  parent: Id | null;

  @Refs('thing', { default: () => [], max: 2 })
  others: Id[];

  @Texts({ default: () => [], max: 2, length: 4 })
  tags: string[];

  @Numbers({ optional: true, default: null, min: 2, max: 2 })
  position: number[] | null;

  @Email({ optional: true })
  email: string | null;

  @ListOf(() => Part, { default: () => [], max: 2 })
  parts: Part[];

  @Nested(() => Box, { optional: true })
  box: Box | null;

  @AnyJson({ default: {} })
  properties: FreeJson;

  @AnyJson({ optional: true, shape: 'list' })
  rules: FreeJson | null;
}

export const ALL = [
  ...['name', 'currency', 'price', 'count', 'weight', 'active', 'unit', 'since', 'parent', 'others', 'tags'],
  ...['position', 'email', 'parts', 'box', 'properties', 'rules'],
] as unknown as readonly (keyof Thing)[];

export class CreateThing extends createBody(Thing, ALL) {}
export class UpdateThing extends updateBody(Thing, ALL) {}

export const ID = '65b9a1c2d3e4f5061728394a';
export const valid = { name: 'n', currency: 'EUR' };

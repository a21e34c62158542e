import { defaultOf, fieldsOf, fieldsOfValue } from './fields.js';
import { FreeJson } from './free-json.js';
import { Texts } from './list-fields.js';
import { Text } from './text-fields.js';
import { AnyJson, Flag, Instant } from './value-fields.js';

class Parent {
  @Text()
  name: string;

  @Instant({ last: true })
  created: Date;
}

class Child extends Parent {
  @Texts({ default: () => ['new'] })
  tags: string[];

  @AnyJson({ default: { a: 1 } })
  properties: FreeJson;

  @Flag({ default: false, last: true })
  deleted: boolean;
}

class Sibling extends Parent {
  @Text({ optional: true, max: 10 })
  override name: string;
}

const names = (type: typeof Parent): string[] => fieldsOf(type).map((field) => field.name);
const field = (name: string) => fieldsOf(Child).find((one) => one.name === name)!;

describe('the fields of a class', () => {
  it("are the parents' first, with those that come last at the end", () => {
    expect(names(Child)).toEqual(['name', 'tags', 'properties', 'created', 'deleted']);
    expect(names(Parent)).toEqual(['name', 'created']);
  });

  it('do not leak to a parent or sibling, and can be declared anew', () => {
    expect(names(Sibling)).toEqual(['name', 'created']);
    expect(fieldsOf(Sibling)).not.toBe(fieldsOf(Parent));
  });

  it('are known for values of the class only', () => {
    expect(fieldsOfValue(new Child())).toBe(fieldsOf(Child));
    expect(fieldsOfValue({ name: 'x' })).toBeNull();
    expect(fieldsOfValue(new Date())).toBeNull();
    expect(fieldsOfValue(Object.create(null) as object)).toBeNull();
  });

  it('have defaults of their own for each record', () => {
    expect(defaultOf(field('tags'))).toEqual(['new']);
    expect(defaultOf(field('tags'))).not.toBe(defaultOf(field('tags')));
    expect((defaultOf(field('properties')) as FreeJson).value).toEqual({ a: 1 });
    expect(defaultOf(field('deleted'))).toBe(false);
    expect(defaultOf(field('name'))).toBeNull();
  });
});

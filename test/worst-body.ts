/** The worst body that openapi.json permits: the longest texts, the most elements, the deepest JSON. */

const JSON_DEPTH = 30;
/** A body has at most 1,000 keys and 10,000 elements in lists. */
const MOST_KEYS = 900;
const JSON_KEYS = 150;

/** Values for fields of these names, such as existing ids; `undefined` leaves the field out. */
export type Known = Readonly<Record<string, unknown>>;

/** The largest body that its schema permits. */
export class WorstBody {
  private keys = MOST_KEYS;

  /** @param left the bytes that the body may have */
  constructor(
    private readonly document: any,
    private readonly known: Known,
    private left: number,
  ) {}

  bodyFor(schema: any, name = ''): any {
    if (name in this.known) return this.knownValue(name);
    const at = this.resolved(schema);
    return this.value(at, typeOf(at), name);
  }

  /** The value of a field, a new one each time where it is a function. */
  private knownValue(name: string): unknown {
    const given = this.known[name];
    const value: unknown = typeof given === 'function' ? (given as () => unknown)() : given;
    this.left -= JSON.stringify(value ?? null).length + name.length + 4;
    return value;
  }

  private value(schema: any, type: string, name: string): unknown {
    switch (type) {
      case 'string':
        return this.text(schema);
      case 'integer':
      case 'number':
        return Math.min(schema.maximum ?? 1_000_000, 1_000_000);
      case 'boolean':
        return true;
      case 'array':
        return schema.items === undefined ? [this.deep()] : this.list(schema, name);
      default:
        return schema.properties === undefined ? this.deep() : this.object(schema);
    }
  }

  private text(schema: any): string {
    if (schema.enum !== undefined) return this.take(String(schema.enum.at(-1)));
    if (schema.pattern?.includes('0-9a-f') === true) return this.take('f'.repeat(24));
    const length = Math.min(schema.maxLength ?? 64, Math.max(1, this.left - 2048));
    // Characters that need work when folded, normalized and split into grams.
    return this.take('Ǆ İß'.repeat(Math.ceil(length / 4)).slice(0, Math.max(1, Math.floor(length / 2))));
  }

  private list(schema: any, name: string): unknown[] {
    const list: unknown[] = [];
    while (list.length < (schema.maxItems ?? 100) && this.left > 4096 && this.keys > 10)
      list.push(this.bodyFor(schema.items, name));
    return list;
  }

  /** Builds the required fields first; the others share the remaining size. */
  private object(schema: any): Record<string, unknown> {
    const required = new Set<string>(schema.required ?? []);
    const names = Object.keys(schema.properties);
    const ordered = [...names.filter((name) => required.has(name)), ...names.filter((n) => !required.has(n))];
    const object: Record<string, unknown> = {};
    for (const name of ordered) {
      if (this.left <= 2048 && !required.has(name)) continue;
      this.keys -= 1;
      object[name] = this.bodyFor(schema.properties[name], name);
    }
    return object;
  }

  /** Deeply nested JSON for free-form fields. */
  private deep(): object {
    const wide: Record<string, unknown> = {};
    for (let key = 0; key < JSON_KEYS && this.left > 4096 && this.keys > 60; key += 1) {
      wide[`$key.${String(key)}`] = this.take('x'.repeat(32));
      this.keys -= 1;
    }
    let deep: object = wide;
    for (let level = 0; level < JSON_DEPTH - 4; level += 1) deep = { a: deep };
    this.keys -= JSON_DEPTH;
    return deep;
  }

  private take(text: string): string {
    this.left -= Buffer.byteLength(text) + 24;
    return text;
  }

  private resolved(schema: any): any {
    if (schema?.$ref !== undefined) return this.document.components.schemas[schema.$ref.split('/').at(-1)];
    const one = schema?.anyOf ?? schema?.oneOf ?? schema?.allOf;
    return one === undefined ? schema : this.resolved(one[0]);
  }
}

function typeOf({ type, properties }: any): string {
  if (Array.isArray(type)) return type[0];
  return type ?? (properties === undefined ? 'any' : 'object');
}

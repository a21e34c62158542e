import {
  isRecord,
  optionsOf,
  type FieldInfo,
  type FieldedClass,
  type RecordOptions,
} from '@commerce/records';

import type { Answer, Variants } from '../http/route-notes.js';
import { exampleOf } from './examples.js';
import { WRAPPED, fieldSchema, factsOf, shownFields, type Dialect } from './field-schemas.js';
import { ref, type Ref, type Response, type Schema } from './openapi.js';

interface Written {
  readonly type: FieldedClass;
  readonly dialect: Dialect;
}

/** The schemas of a document: each class is written down once for each dialect in which it occurs. */
export class Schemas {
  readonly all: Record<string, Schema> = { ...WRAPPED };
  /** The replies that routes share. */
  readonly replies: Record<string, Response> = {};
  private readonly written = new Map<string, Written>();

  /** The schema that stands for a class in a dialect. */
  readonly of = (type: FieldedClass, dialect: Dialect): Schema => {
    const name = this.nameOf(type, dialect);
    if (!this.written.has(name)) {
      this.written.set(name, { type, dialect });
      this.all[name] = this.objectSchema(type, dialect, name);
    }
    return ref('schemas', name);
  };

  /** The reply of a name, which is the same wherever it is used. */
  reply(name: string, response: Response): Ref {
    const known = (this.replies[name] ??= response);
    if (JSON.stringify(known) !== JSON.stringify(response)) throw new Error(`there are two replies ${name}`);
    return ref('responses', name);
  }

  /** Writes down what routes answer with. Replies come first: where a request writes a class otherwise, its name there differs. */
  addReplies(answers: readonly (Answer | undefined)[]): void {
    for (const answer of answers) {
      if (answer === undefined || !('of' in answer)) continue;
      if ('by' in answer.of) this.variants(answer.of);
      else this.of(answer.of, 'reply');
    }
  }

  /** The records that replies show, by their nouns. */
  recordTypes(): ReadonlyMap<string, FieldedClass> {
    const nouns = [...this.written.values()].flatMap(({ type }) => {
      const options = recordOptions(type);
      return options === null ? [] : [[options.noun, type] as const];
    });
    return new Map(nouns);
  }

  /** Whether an object of this schema must hold anything at all. */
  requiresAny(schema: Schema): boolean {
    const name = schema.$ref?.split('/').at(-1) ?? '';
    return 'required' in (this.all[name] ?? {});
  }

  /** The schema of a record in any of its shapes. */
  variants({ name, by, of }: Variants): Schema {
    const shapes = Object.entries(of).map(([value, type]) => {
      const title = `${capitalized(value)}${name}`;
      this.all[title] ??= this.variant(type, title, {
        [by]: { const: value },
        _cls: { const: `${name}.${capitalized(value)}` },
      });
      return [value, ref('schemas', title)] as const;
    });
    this.all[name] = {
      oneOf: shapes.map(([, shape]) => shape),
      discriminator: {
        propertyName: by,
        mapping: Object.fromEntries(shapes.map(([value, shape]) => [value, shape.$ref])),
      },
    };
    return ref('schemas', name);
  }

  private variant(type: FieldedClass, name: string, fixed: Record<string, Schema>): Schema {
    const schema = this.objectSchema(type, 'reply', name);
    const example = exampleOf(type, 'reply', name);
    const properties = { ...(schema['properties'] as Record<string, Schema>) };
    for (const [field, value] of Object.entries(fixed)) {
      example[field] = value['const'];
      properties[field] = { ...value, description: properties[field]?.['description'] };
    }
    return { ...schema, properties, examples: [example] };
  }

  private objectSchema(type: FieldedClass, dialect: Dialect, name: string): Schema {
    const fields = shownFields(type);
    const required = fields.filter((field) => isRequired(type, field, dialect)).map((field) => field.name);
    return {
      type: 'object',
      properties: Object.fromEntries(
        fields.map((field) => [field.name, this.property(type, field, dialect)]),
      ),
      ...(required.length > 0 ? { required } : {}),
      ...(dialect === 'request' ? { additionalProperties: false } : {}),
      examples: [exampleOf(type, dialect, name)],
    };
  }

  private property(type: FieldedClass, field: FieldInfo, dialect: Dialect): Schema {
    const schema = fieldSchema(type, field, dialect, this.of);
    const options = field.name === '_cls' && dialect !== 'request' ? recordOptions(type) : null;
    return options === null ? schema : { ...schema, const: options.cls };
  }

  private nameOf(type: FieldedClass, dialect: Dialect): string {
    const name = type.name.replace(/(Record|Reply)$/, '');
    if (dialect === 'event') return `${name}InEvent`;
    const known = this.written.get(name);
    if (known === undefined || known.dialect === dialect) return this.unambiguous(name, type, known);
    return `${name}Body`;
  }

  private unambiguous(name: string, type: FieldedClass, known: Written | undefined): string {
    if (known !== undefined && known.type !== type) throw new Error(`there are two classes ${name}`);
    return name;
  }
}

/** Replies show every field; requests must carry those without a default. */
function isRequired(type: FieldedClass, field: FieldInfo, dialect: Dialect): boolean {
  return dialect !== 'request' || factsOf(field).required === true;
}

function recordOptions(type: FieldedClass): RecordOptions | null {
  return isRecord(type) ? optionsOf(type) : null;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

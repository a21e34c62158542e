import schemas from 'virtual:form-schemas';

import { words } from '../app/format';
import { FIELD_TEXTS, type FieldText, type FieldTexts } from '../texts/fields';

/** The part of JSON Schema that describes bodies. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** The kind of input for a field. */
export type Input =
  | 'choice'
  | 'choices'
  | 'flag'
  | 'group'
  | 'date'
  | 'number'
  | 'percent'
  | 'reference'
  | 'references'
  | 'rows'
  | 'texts'
  | 'json'
  | 'text';

export interface Field {
  readonly name: string;
  readonly text: FieldText;
  readonly input: Input;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** The fields of each row, or of the group. */
  readonly fields: readonly Field[];
}

const ID = '^[0-9a-f]{24}$';

/** The fields of a body as the API document describes them, so the form cannot differ from the rules. */
export function fieldsOfBody(body: string, kind: string): readonly Field[] {
  return fieldsOf(body, FIELD_TEXTS[kind] ?? {});
}

function fieldsOf(name: string, texts: FieldTexts, within = ''): Field[] {
  const { properties = {}, required = [] } = schemas[name] ?? {};
  return Object.entries(properties).map(([field, given]) => {
    const text = texts[within + field] ?? { label: words(field), help: given.description };
    const schema = chosenFrom(text, plain(given));
    const inner = (schema.items?.$ref ?? schema.$ref)?.split('/').at(-1);
    return {
      name: field,
      text,
      schema,
      input: inputOf(schema),
      isRequired: required.includes(field) || text.isNeeded === true,
      fields: inner === undefined ? [] : fieldsOf(inner, texts, `${within}${field}.`),
    };
  });
}

/** For a form, `anyOf` with null equals the schema itself. */
function plain(schema: Schema): Schema {
  const real = schema.anyOf?.find(({ type }) => type !== 'null');
  return real === undefined ? schema : { ...schema, ...real };
}

/** A text whose values the form names is chosen from them. */
function chosenFrom({ choices }: FieldText, schema: Schema): Schema {
  const isText = schema.enum === undefined && schema.items === undefined;
  return choices === undefined || !isText ? schema : { ...schema, enum: Object.keys(choices) };
}

function inputOf({ $ref, type = '', format, enum: values, pattern, items, minimum, maximum }: Schema): Input {
  const types = typeof type === 'string' ? [type] : type;
  const has = (name: string): boolean => types.includes(name);
  if ($ref !== undefined) return 'group';
  if (values !== undefined) return 'choice';
  if (has('array') && items?.enum !== undefined) return 'choices';
  if (has('boolean')) return 'flag';
  if (format === 'int64') return 'date';
  if (has('object') || (has('array') && items?.$ref === undefined && items?.type !== 'string')) return 'json';
  if (has('array') && items?.pattern === ID) return 'references';
  if (has('array')) return items?.$ref === undefined ? 'texts' : 'rows';
  // A fraction between 0 and 1, such as a discount or a VAT rate.
  if (has('number') && minimum === 0 && maximum === 1) return 'percent';
  if (has('number') || has('integer')) return 'number';
  return pattern === ID ? 'reference' : 'text';
}

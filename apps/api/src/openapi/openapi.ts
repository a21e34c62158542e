/** The parts of an OpenAPI 3.1 document that this one uses. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly Tag[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly webhooks: Record<string, Record<string, object>>;
  readonly components: {
    readonly schemas: Record<string, Schema>;
    readonly parameters: Record<string, Parameter>;
    readonly headers: Record<string, Header>;
    readonly responses: Record<string, Response>;
    readonly securitySchemes: Record<string, object>;
  };
}

export interface Tag {
  readonly name: string;
  readonly description: string;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly parameters: readonly (Parameter | Ref)[];
  readonly requestBody?: object;
  readonly responses: Record<string, Response | Ref>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Header {
  readonly description: string;
  readonly schema: Schema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Record<string, Ref>;
  readonly content?: Record<string, { readonly schema: Schema; readonly example?: unknown }>;
}

// A type, not an interface: only so does it count as a schema.
export type Ref = { readonly $ref: string };

/** A schema of JSON Schema 2020-12. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly [keyword: string]: unknown;
}

export function ref(part: keyof OpenApi['components'], name: string): Ref {
  return { $ref: `#/components/${part}/${name}` };
}

import type { FieldedClass } from '@commerce/records';

import { OLDEST } from '../http/versions/versions.js';
import { ID, factsOf, fieldSchema, shownFields } from './field-schemas.js';
import { ref, type Header, type Parameter, type Ref, type Schema } from './openapi.js';
import type { Schemas } from './schemas.js';

const TEXT: Schema = { type: 'string' };
const COUNT: Schema = { type: 'integer', minimum: 0 };

/** Headers of requests, by the name of their component. */
export const REQUEST_HEADERS: Readonly<Record<string, Parameter>> = {
  ServiceVersion: header(
    'X-Service-Version',
    `The version of the interface, a date from ${OLDEST} to today; the newest when it is absent.`,
    {
      type: 'string',
      pattern: '^20\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
      examples: ['2019-09-18'],
    },
  ),
  RequestId: header(
    'X-Request-Id',
    'An id of your own, kept in the logs and the audit log beside that of the service.',
    {
      type: 'string',
      pattern: '^[\\w.-]{8,128}$',
    },
  ),
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes the request safe to repeat for 24 hours: the same key with the same body takes effect once.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ),
  IfNoneMatch: header('If-None-Match', 'ETags that the caller holds; where one matches, 304.', TEXT),
  IfRange: header('If-Range', 'The ETag of the content that a Range is meant for.', TEXT),
  Range: header('Range', 'The part that is wanted.', { type: 'string', examples: ['bytes=0-1023'] }),
  StripeSignature: {
    ...header('Stripe-Signature', 'The signature of the raw body, at most 300 s old.', TEXT),
    required: true,
  },
};

/** Headers of replies, by their names. */
export const REPLY_HEADERS: Readonly<Record<string, Header>> = {
  'Accept-Ranges': said('Parts can be asked for by Range.', { const: 'bytes' }),
  'Cache-Control': said('How long the reply may be kept.'),
  'Content-Range': said('Which part this is, of how many bytes.'),
  ETag: said('Names this content.'),
  'Idempotent-Replayed': said('The reply was stored for this Idempotency-Key earlier.', { const: 'true' }),
  Link: said('Where to go on: first, prev, next and last, as far as they exist and are known (RFC 8288).'),
  RateLimit: said('Requests left under a limit, and seconds until the next one; a 429 names its limit.', {
    type: 'string',
    examples: ['"requests";r=199;t=0'],
  }),
  'RateLimit-Policy': said('Requests that may come at once, and seconds in which they are refilled.', {
    type: 'string',
    examples: ['"requests";q=200;w=2'],
  }),
  'Retry-After': said('Seconds to wait before the next try.', COUNT),
  'WWW-Authenticate': said('How to authenticate.', { const: 'Bearer' }),
  'X-Request-Id': said('The id that the service gave the request, in the logs and the audit log too.'),
  'X-Service-Version': said('The version of the interface that the reply is in.', {
    type: 'string',
    format: 'date',
  }),
  'X-Total-Count': said('How many records the whole list has; only where total=true asks for it.', COUNT),
  'X-Total-Count-Capped': said('The list has more records than X-Total-Count, which ends at 10,000.', {
    const: 'true',
  }),
};

/** References to headers of replies, under their names. */
export function replyHeaders(...names: readonly string[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
}

/** The component of a request's header. */
export function requestHeader(name: string): Ref {
  const found = Object.entries(REQUEST_HEADERS).find(([, one]) => one.name === name);
  if (found === undefined) throw new Error(`the header ${name} is not described`);
  return ref('parameters', found[0]);
}

/** The ids in a path such as /webhooks/{id}/deliveries. */
export function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: `id of the ${nounOf(path)}`,
    schema: { type: 'string', pattern: ID, examples: ['65b9a1c2d3e4f50617283940'] },
  }));
}

/** What the records at a path are called: `payment method` for /payment_methods/{id}. */
export function nounOf(path: string): string {
  const [, plural = ''] = path.split('/');
  return plural.replace(/(ie)?s$/, (_, ie: string | undefined) => (ie ? 'y' : '')).replaceAll('_', ' ');
}

/** One parameter for each field of a query class. */
export function queryParameters(type: FieldedClass, schemas: Schemas): Parameter[] {
  return shownFields(type).map((field) => {
    const { description, ...schema } = fieldSchema(type, field, 'request', schemas.of);
    const facts = factsOf(field);
    return {
      name: field.name,
      in: 'query',
      required: facts.required === true,
      ...(typeof description === 'string' ? { description } : {}),
      schema: withoutNull(schema),
    };
  });
}

/** A parameter is left out rather than null. */
function withoutNull(schema: Schema): Schema {
  const { type, enum: values } = schema;
  if (!Array.isArray(type)) return schema;
  const kept = (type as string[]).filter((one) => one !== 'null');
  const { default: initial, ...rest } = schema;
  return {
    ...rest,
    type: kept.length === 1 ? (kept[0] ?? 'string') : kept,
    ...(Array.isArray(values) ? { enum: (values as unknown[]).filter((one) => one !== null) } : {}),
    ...(initial === undefined || initial === null ? {} : { default: initial }),
  };
}

function header(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'header', required: false, description, schema };
}

function said(description: string, schema: Schema = TEXT): Header {
  return { description, schema };
}

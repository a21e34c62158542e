import { STATUS_CODES } from 'node:http';

import { FAULTS } from '../http/faults/fault-catalogue.js';
import { againOf, statusOf } from '../http/faults/statuses.js';
import { replyHeaders } from './parameters.js';
import { ref, type Ref, type Response, type Schema } from './openapi.js';

/** The one shape of all refusals. */
export const PROBLEM: Schema = {
  type: 'object',
  description:
    'A problem document (RFC 9457). Some codes add members: `current` and `allowed` of a `…state_conflict`. All codes are listed in docs/errors.md.',
  properties: {
    type: { type: 'string', description: 'urn:problem: and the code' },
    title: { type: 'string', description: 'the name of the status' },
    status: { type: 'integer', description: 'the HTTP status' },
    detail: { type: 'string', description: 'for people; may be reworded' },
    code: { type: 'string', pattern: '^[a-z_]+\\.[a-z_]+$', description: 'stable: noun.reason' },
    request_id: {
      type: 'string',
      description: 'the X-Request-Id of the reply; it helps us to find the request',
    },
    errors: {
      type: 'array',
      description: 'what is wrong with the input, by field',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'dotted, from the root of the body or query' },
          code: { type: 'string', description: 'as that of the document' },
          message: { type: 'string', description: 'for people; may be reworded' },
        },
        required: ['path', 'code', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors'],
  additionalProperties: true,
};

/** The refusal of an order that its card did not pay. */
export const PAYMENT_DECLINED: Schema = {
  ...PROBLEM,
  description: 'A problem document with the order as it is now, and the payment that was declined.',
  properties: {
    ...(PROBLEM['properties'] as object),
    decline_code: { type: ['string', 'null'], description: 'why, in the words of the card provider' },
    order: { ...ref('schemas', 'Order'), description: 'the order, which can be paid again' },
    payment: { ...ref('schemas', 'Payment'), description: 'the payment that was declined' },
  },
  required: [...(PROBLEM['required'] as string[]), 'decline_code', 'order', 'payment'],
};

/** The refusals of each status: the name of their component, and the codes that every route may answer with. */
const SHARED: Readonly<Record<number, readonly [name: string, ...codes: string[]]>> = {
  400: ['BadRequest', 'version.invalid', 'header.invalid', 'body.malformed'],
  401: ['Unauthorized', 'api_key.missing', 'api_key.invalid', 'credentials.missing', 'credentials.invalid'],
  402: ['PaymentRequired'],
  403: ['Forbidden', 'role.forbidden'],
  404: ['NotFound'],
  409: ['Conflict', 'idempotency_key.in_flight', 'idempotency_key.reply_not_kept', 'record.conflict'],
  410: ['Gone'],
  413: ['ContentTooLarge', 'body.too_large'],
  415: ['UnsupportedMediaType', 'media_type.unsupported'],
  422: ['Unprocessable', 'value.invalid', 'field.unknown', 'body.invalid', 'idempotency_key.reused'],
  429: ['TooManyRequests', 'rate.limited'],
  500: ['InternalServerError', 'internal.error'],
  503: ['ServiceUnavailable', 'service.unavailable', 'query.timeout'],
};

/** The refusals as components of a document. */
export function sharedRefusals(): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(SHARED).map(([status, [name, ...codes]]) => [name, refusal(Number(status), codes)]),
  );
}

/** References to the refusals of a route: those of the statuses that its kind has, and those of its own codes. */
export function refusalsOf(shared: readonly number[], own: readonly string[]): Record<string, Ref> {
  const statuses = [...new Set([...shared, ...own.map(statusOf)])].sort((a, b) => a - b);
  return Object.fromEntries(statuses.map((status) => [String(status), ref('responses', nameOf(status))]));
}

/** The refusal of a status, which may come with other content, too. */
export function refusalOf(status: number): Response {
  const [, ...codes] = SHARED[status] ?? [];
  return refusal(status, codes);
}

/** The codes of a route beside those that every route may answer with, as a list; empty without any. */
export function codesOf(own: readonly string[]): string {
  const rows = [...new Set(own)].map((code) => ({ status: statusOf(code), code }));
  const lines = rows
    .sort((one, other) => one.status - other.status)
    .map(({ status, code }) => `- ${String(status)} \`${code}\`: ${meaningOf(code)}`);
  return lines.length === 0 ? '' : `\n\nIts own refusals:\n${lines.join('\n')}`;
}

function nameOf(status: number): string {
  const [name] = SHARED[status] ?? [];
  if (name === undefined) throw new Error(`no refusal of the status ${String(status)} is described`);
  return name;
}

function meaningOf(code: string): string {
  return FAULTS.get(code)?.meaning ?? '';
}

function refusal(status: number, codes: readonly string[]): Response {
  const lines = codes.map((code) => `- \`${code}\`: ${meaningOf(code)}`);
  const example = [...codes, ...FAULTS.keys()].find((code) => statusOf(code) === status) ?? '';
  return {
    description: [STATUS_CODES[status] ?? '', ...lines].join('\n'),
    headers: replyHeaders(...headersOf(status), 'X-Request-Id', 'X-Service-Version'),
    content: {
      'application/problem+json': {
        schema: ref('schemas', status === 402 ? 'PaymentDeclined' : 'Problem'),
        ...(status === 402 ? {} : { example: exampleOf(status, example) }),
      },
    },
  };
}

function headersOf(status: number): string[] {
  // Failed credentials belong to no key with a limit to show.
  if (status === 401) return ['WWW-Authenticate'];
  const limits = ['RateLimit', 'RateLimit-Policy'];
  const passes = [...FAULTS.keys()].some((code) => statusOf(code) === status && againOf(code) !== 'never');
  return [...(passes ? ['Retry-After'] : []), ...limits];
}

function exampleOf(status: number, code: string): object {
  const detail = meaningOf(code);
  return {
    type: `urn:problem:${code}`,
    title: STATUS_CODES[status],
    status,
    detail,
    code,
    request_id: 'f3c1a7de-5b0e-4a55-8c5e-2f9f0a6b1d11',
    errors: fieldErrors(code, detail),
  };
}

function fieldErrors(code: string, message: string): object[] {
  const [noun = '', reason] = code.split('.');
  if (code === 'value.invalid') return [{ path: 'name', code, message }];
  return reason === 'unknown' ? [{ path: noun, code, message }] : [];
}

import { fillsLogs, type Access, type Answer, type Body, type RouteNotes } from '../http/route-notes.js';
import type { Operation, Ref, Response, Schema } from './openapi.js';
import { nounOf, pathParameters, queryParameters, replyHeaders, requestHeader } from './parameters.js';
import { codesOf, refusalOf, refusalsOf } from './refusals.js';
import type { Schemas } from './schemas.js';

/** A route as the scanner of Nest found it, with what its decorators said. */
export interface Route {
  readonly path: string;
  readonly method: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly notes: Partial<RouteNotes>;
}

/** Everything that callers should know of a route. What its decorators do not say follows from its kind. */
export function operationOf(route: Route, schemas: Schemas): Operation {
  const { path, operationId, tags, summary, description, notes } = route;
  const { access = 'open', query, body, headers = [] } = notes;
  const common = ['X-Service-Version', 'X-Request-Id'];
  if (isRepeatable(route)) common.unshift('Idempotency-Key');
  return {
    operationId,
    tags,
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined
      ? {}
      : { description: `${description}\n\n${CALLED_WITH[access]}${codesOf(ownCodes(route))}` }),
    security: SECURITY[access],
    parameters: [
      ...pathParameters(path),
      ...(query === undefined ? [] : queryParameters(query, schemas)),
      ...[...headers, ...common].map(requestHeader),
    ],
    ...(body === undefined ? {} : { requestBody: requestBody(body, schemas) }),
    responses: { ...successes(route, schemas), ...otherAnswer(route, schemas) },
  };
}

const CALLED_WITH: Readonly<Record<Access, string>> = {
  open: 'Needs no credentials.',
  api_key: 'Called with the API key alone, or with a service key beside it.',
  user_or_admin: 'Called with the API key and a user token, or a service key.',
  admin: 'Called with the API key and a service key.',
};

const SECURITY: Readonly<Record<Access, Operation['security']>> = {
  open: [],
  api_key: [{ api_key: [] }, { api_key: [], service_key: [] }],
  user_or_admin: [
    { api_key: [], access_token: [] },
    { api_key: [], service_key: [] },
  ],
  admin: [{ api_key: [], service_key: [] }],
};

/** Idempotency keys belong to a caller, and to what changes something. */
function isRepeatable({ method, notes }: Route): boolean {
  return method !== 'get' && notes.access !== 'open' && notes.writesNothing !== true;
}

function requestBody(body: Body, schemas: Schemas): object {
  if (body.kind === 'file') {
    const file = { type: 'string', format: 'binary', description: body.description };
    const schema = { type: 'object', properties: { [body.field]: file }, required: [body.field] };
    return { required: true, content: { 'multipart/form-data': { schema } } };
  }
  const one = schemas.of(body.of, 'request');
  const schema = body.kind === 'list' ? { type: 'array', items: one, maxItems: body.max } : one;
  const required = body.kind === 'list' || schemas.requiresAny(one);
  return { required, content: { 'application/json': { schema } } };
}

function successes(route: Route, schemas: Schemas): Record<string, Response | Ref> {
  const { answer } = route.notes;
  if (answer === undefined) return { 200: { description: 'Done' } };
  if (answer.kind === 'file') return contents(route, answer);
  const headers = replyHeaders(...headersOf(route, answer));
  if (answer.kind === 'nothing') return { 204: { description: 'Done; there is nothing to tell', headers } };
  const schema = 'by' in answer.of ? schemas.variants(answer.of) : schemas.of(answer.of, 'reply');
  const list = answer.kind === 'list';
  const content = { 'application/json': { schema: list ? { type: 'array', items: schema } : schema } };
  if (answer.later === true)
    return { 202: { description: 'Accepted: a worker does it soon', headers, content } };
  const description = list ? 'The records' : 'The record';
  return { 200: schemas.reply(replyName(route, schema, list), { description, headers, content }) };
}

/** The name of a reply, which routes share whose replies have the same content and headers. */
function replyName(route: Route, schema: Schema, list: boolean): string {
  const kind = `${list ? 'List' : ''}${isRepeatable(route) ? 'Written' : ''}`;
  return `${schema.$ref?.split('/').at(-1) ?? ''}${kind}${route.notes.access === 'open' ? 'Open' : ''}`;
}

function headersOf(route: Route, answer: Answer): string[] {
  const limited = route.notes.access === 'open' ? [] : ['RateLimit', 'RateLimit-Policy'];
  const paged =
    route.method === 'get' && answer.kind === 'list' ? ['Link', 'X-Total-Count', 'X-Total-Count-Capped'] : [];
  const replayed = isRepeatable(route) ? ['Idempotent-Replayed'] : [];
  return [...paged, ...replayed, ...limited, 'X-Request-Id', 'X-Service-Version'];
}

/** The answers to a request for a file: the whole, nothing new, and where ranges are served a part, or no such part. */
function contents(route: Route, answer: Extract<Answer, { kind: 'file' }>): Record<string, Response> {
  const { types, ranges } = answer;
  const bytes: Schema = { type: 'string', format: 'binary' };
  const content = Object.fromEntries(types.map((type) => [type, { schema: bytes }]));
  const shared = headersOf(route, answer);
  const headers = (...names: string[]): Record<string, Ref> => replyHeaders(...names, ...shared);
  const about = ['ETag', 'Cache-Control', ...(ranges ? ['Accept-Ranges'] : [])];
  const whole = {
    200: { description: 'The content', headers: headers(...about), content },
    304: { description: 'The caller holds this content already', headers: headers(...about) },
  };
  if (!ranges) return whole;
  return {
    ...whole,
    206: {
      description: 'The part that Range asked for',
      headers: headers('Content-Range', ...about),
      content,
    },
    416: { description: 'The content has no such part', headers: headers('Content-Range', 'Accept-Ranges') },
  };
}

/** The refusals, of which one status may come with a record instead of a problem document. */
function otherAnswer(route: Route, schemas: Schemas): Record<string, Response | Ref> {
  const refused = refusals(route);
  const { otherAnswer: other } = route.notes;
  if (other === undefined) return refused;
  const response = refusalOf(other.status);
  const content = { 'application/json': { schema: schemas.of(other.of, 'reply') }, ...response.content };
  const description = `${response.description}\n\n${other.description}`;
  return { ...refused, [other.status]: { ...response, description, content } };
}

/** What may be refused follows from who may call the route, and from what it reads. */
function refusals(route: Route): Record<string, Ref> {
  const { method, notes } = route;
  const { access, query } = notes;
  const writes = method !== 'get';
  const open = access === 'open';
  const shared = [
    400,
    ...(open ? [429] : [401, 429]),
    ...(access === 'admin' ? [403] : []),
    ...(writes ? [413, 415] : []),
    ...(isRepeatable(route) ? [409] : []),
    // Unknown parameters are refused by every route but the open ones.
    ...(writes || query !== undefined || !open ? [422] : []),
    500,
    503,
  ];
  return refusalsOf(shared, ownCodes(route));
}

/** The codes of a route's own refusals. */
function ownCodes({ path, method, notes }: Route): string[] {
  const unknown = path.includes('{') ? [`${nounOf(path).replaceAll(' ', '_')}.not_found`] : [];
  const full = fillsLogs(method, notes) ? ['customer.quota_exceeded'] : [];
  return [...unknown, ...full, ...(notes.faults ?? [])];
}

export function securitySchemes(): Record<string, object> {
  return {
    api_key: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Service-Api-Key',
      description: 'The API key of the company, `pk_…`: every request carries it.',
    },
    service_key: {
      type: 'http',
      scheme: 'bearer',
      description: 'A service key, `sk_…`: calls as an Admin.',
    },
    access_token: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A user token, from POST /users/{id}/tokens: calls as that User.',
    },
  };
}

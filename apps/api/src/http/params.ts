import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { type Caller } from '@commerce/data';
import { parseBody, parseQuery, type FieldedClass, type RawQuery } from '@commerce/records';

import { note, type RouteNotes } from './route-notes.js';
import type { ServiceRequest } from './service-request.js';

function requestOf(context: ExecutionContext): ServiceRequest {
  return context.switchToHttp().getRequest<ServiceRequest>();
}

/** The caller that the guard authenticated. */
export const Calling = createParamDecorator((_: undefined, context: ExecutionContext): Caller => {
  const { caller } = requestOf(context);
  if (!caller) throw new Error('a route without credentials asks for its caller');
  return caller;
});

const ParsedBody = createParamDecorator((type: Type<object>, context: ExecutionContext): object => {
  const body: unknown = requestOf(context).body;
  return parseBody(type, body === undefined ? {} : body);
});

/** The body, validated against its class. An absent body counts as `{}`; the JSON value `null` does not. */
export function BodyOf(type: Type<object>): ParameterDecorator {
  return noting(ParsedBody(type), { body: { kind: 'object', of: type } });
}

const RawBody = createParamDecorator(
  (_: undefined, context: ExecutionContext): unknown => requestOf(context).body as unknown,
);

/** A body that is a list of at most `max` items of a class, unvalidated: the service validates each item. */
export function ListBodyOf(of: FieldedClass, max: number): ParameterDecorator {
  return noting(RawBody(), { body: { kind: 'list', of, max } });
}

const PathId = createParamDecorator((name: string, context: ExecutionContext): string =>
  String(requestOf(context).params[name]),
);

/** An id in the path, as text. The store validates it: a malformed id counts as unknown. */
export function Id(name = 'id'): ParameterDecorator {
  return PathId(name);
}

const ParsedQuery = createParamDecorator((type: Type<object>, context: ExecutionContext): object =>
  parseQuery(type, requestOf(context).query as RawQuery),
);

/** The query parameters, validated against their class and documented from it. */
export function QueryOf(type: Type<object>): ParameterDecorator {
  return noting(ParsedQuery(type), { query: type });
}

/** A parameter decorator that also records the route's input for the API document. */
function noting(parameter: ParameterDecorator, part: Partial<RouteNotes>): ParameterDecorator {
  return (target, key, index) => {
    parameter(target, key, index);
    if (key !== undefined) note(target, key, part);
  };
}

import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { ApiBody, ApiParam } from '@nestjs/swagger';
import { parseBody, parseQuery, type Caller, type RawQuery } from '@commerce/platform';

import { queryParameters } from './query-parameters.js';
import type { ServiceRequest } from './service-request.js';

function requestOf(context: ExecutionContext): ServiceRequest {
  return context.switchToHttp().getRequest<ServiceRequest>();
}

/** The caller, as the guard found it. */
export const Calling = createParamDecorator((_: undefined, context: ExecutionContext): Caller => {
  const { caller } = requestOf(context);
  if (!caller) throw new Error('a route without credentials asks for its caller');
  return caller;
});

const ParsedBody = createParamDecorator((type: Type<object>, context: ExecutionContext): object => {
  const body: unknown = requestOf(context).body;
  return parseBody(type, body === undefined ? {} : body);
});

/** The body, validated against its class. An absent one counts as `{}`; the JSON value `null` does not. */
export function BodyOf(type: Type<object>): ParameterDecorator {
  return documented(ParsedBody(type), ApiBody({ type }));
}

const PathId = createParamDecorator((name: string, context: ExecutionContext): string =>
  String(requestOf(context).params[name]),
);

/** An id in the path, as text; whether it is one is the store's matter: an unknown one is 404 either way. */
export function Id(name = 'id'): ParameterDecorator {
  return documented(PathId(name), ApiParam({ name, schema: { type: 'string', pattern: '^[0-9a-f]{24}$' } }));
}

const ParsedQuery = createParamDecorator((type: Type<object>, context: ExecutionContext): object =>
  parseQuery(type, requestOf(context).query as RawQuery),
);

/** The query parameters, validated against their class and documented from it. */
export function QueryOf(type: Type<object>): ParameterDecorator {
  return documented(ParsedQuery(type), ...queryParameters(type));
}

/** The query parameters as they came. Only until every list has a class of its own. */
export const RawQueryOf = createParamDecorator(
  (_: undefined, context: ExecutionContext): RawQuery => requestOf(context).query,
);

/** A parameter decorator that also documents its route. */
function documented(
  parameter: ParameterDecorator,
  ...documents: readonly MethodDecorator[]
): ParameterDecorator {
  return (target, key, index) => {
    parameter(target, key, index);
    const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key === undefined || descriptor === undefined) return;
    for (const document of documents) document(target, key, descriptor);
  };
}

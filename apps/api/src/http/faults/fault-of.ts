import { HttpException } from '@nestjs/common';
import { fault, isFault, type Fault } from '@commerce/kernel';
import { databaseTrouble } from '@commerce/platform';

import type { ServiceRequest } from '../service-request.js';
import { allowedMethods } from './allowed-methods.js';

/** The fault that something thrown amounts to. Text of drivers and stacks go to the log, never to the caller. */
export function faultOf(thrown: unknown, request: ServiceRequest): Fault {
  if (isFault(thrown)) return thrown;
  if (thrown instanceof HttpException) return ofHttp(thrown, request);
  const error = (thrown ?? {}) as ForeignError;
  if (typeof error.type === 'string') return ofBodyParser(error.type, error.limit);
  const trouble = databaseTrouble(thrown);
  // A write that ran out of time was not too large a question: it waited for the database.
  if (trouble === 'slow' && request.method === 'GET') {
    return fault('query.timeout', 'The query took too long; ask for less, or try again');
  }
  if (trouble !== null) {
    return fault('service.unavailable', 'The service cannot reach its database right now; try again');
  }
  if (thrown instanceof URIError) return fault('path.not_found', 'The path is not well formed');
  return internal();
}

/** What the errors of libraries tell about themselves. */
interface ForeignError {
  readonly type?: unknown;
  /** In bytes, where the body was larger. */
  readonly limit?: unknown;
}

function ofHttp(thrown: HttpException, request: ServiceRequest): Fault {
  const status = thrown.getStatus();
  if (status === 404) {
    const allow = allowedMethods(request);
    if (allow.length > 0)
      return fault('method.not_allowed', `${request.method} is not allowed here`, { allow });
    return fault('path.not_found', `There is nothing at ${request.path}`);
  }
  // Nest wraps what the body parser throws, too.
  const { type, limit } = (thrown.cause ?? {}) as ForeignError;
  if (typeof type === 'string') return ofBodyParser(type, limit);
  if (status === 413) return ofBodyParser('entity.too.large');
  return status < 500 ? fault('body.malformed', 'The request could not be read') : internal();
}

function ofBodyParser(type: string, limit?: unknown): Fault {
  switch (type) {
    case 'entity.too.large':
      return fault('body.too_large', `The body is larger than this route accepts${mostOf(limit)}`);
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return fault('media_type.unsupported', 'Bodies must be JSON in UTF-8');
    default:
      return fault('body.malformed', 'The body is not well-formed JSON');
  }
}

function mostOf(limit: unknown): string {
  return typeof limit === 'number' ? `: ${String(limit / 1024)} KiB` : '';
}

function internal(): Fault {
  return fault('internal.error', 'Something went wrong on our side; the request id helps us to find it');
}

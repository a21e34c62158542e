import { STATUS_CODES } from 'node:http';

import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { Fault, fault, isFault } from '@commerce/kernel';
import { Log } from '@commerce/platform';
import type { Response } from 'express';

import { allowedMethods } from './allowed-methods.js';
import type { ServiceRequest } from '../service-request.js';
import { statusOf } from './statuses.js';

/** Answers whatever was thrown as one problem document (RFC 9457). */
@Catch()
export class FaultFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    const response = http.getResponse<Response>();
    const known = faultOf(thrown, request);
    const status = statusOf(known.code);
    if (status >= 500) this.log.error({ error: thrown, code: known.code }, 'A request failed');
    if (response.headersSent) {
      // A list that was already streaming: cutting the connection is the only honest sign left.
      response.destroy();
      return;
    }
    const { retry_after_ms: wait, allow, ...details } = known.details;
    if (typeof wait === 'number')
      response.setHeader('Retry-After', String(Math.max(1, Math.ceil(wait / 1000))));
    if (status === 503 && wait === undefined) response.setHeader('Retry-After', '1');
    if (Array.isArray(allow)) response.setHeader('Allow', allow.join(', '));
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    response
      .status(status)
      .type('application/problem+json')
      .send(JSON.stringify(problem(known, status, details, request.requestId)));
  }
}

function problem(known: Fault, status: number, details: object, requestId: string): object {
  return {
    ...details,
    type: `urn:problem:${known.code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: known.message,
    code: known.code,
    request_id: requestId,
    errors: known.details.errors ?? [],
  };
}

/** The fault that something thrown amounts to. Text of drivers and stacks go to the log, never to the caller. */
function faultOf(thrown: unknown, request: ServiceRequest): Fault {
  if (isFault(thrown)) return thrown;
  if (thrown instanceof HttpException) return ofHttp(thrown, request);
  const error = thrown as { name?: unknown; type?: unknown; codeName?: unknown; hasErrorLabel?: unknown };
  if (typeof error.type === 'string') return ofBodyParser(error.type);
  if (isUnavailable(error)) {
    return fault('service.unavailable', 'The service cannot reach its database right now; try again');
  }
  if (thrown instanceof URIError) return fault('path.not_found', 'The path is not well formed');
  return fault('internal.error', 'Something went wrong on our side; the request id helps us to find it');
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
  const { cause } = thrown;
  const type = (cause as { type?: unknown } | undefined)?.type;
  if (typeof type === 'string') return ofBodyParser(type);
  if (status === 413) return ofBodyParser('entity.too.large');
  if (status < 500) return fault('body.malformed', 'The request could not be read');
  return fault('internal.error', 'Something went wrong on our side; the request id helps us to find it');
}

function ofBodyParser(type: string): Fault {
  switch (type) {
    case 'entity.too.large':
      return fault('body.too_large', 'The body is larger than this route takes');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return fault('media_type.unsupported', 'Bodies must be JSON in UTF-8');
    default:
      return fault('body.malformed', 'The body is not well-formed JSON');
  }
}

/** Errors of the driver that pass by themselves when the database is back. */
function isUnavailable(error: { name?: unknown; codeName?: unknown }): boolean {
  const name = typeof error.name === 'string' ? error.name : '';
  return (
    /^Mongo(ose)?(ServerSelection|Network|NetworkTimeout|NotConnected|PoolCleared|TopologyClosed|WaitQueueTimeout|PoolClosed|ConnectionPool|WriteConcern)\w*Error$/.test(
      name,
    ) ||
    error.codeName === 'MaxTimeMSExpired' ||
    error.codeName === 'OutOfDiskSpace'
  );
}

import { STATUS_CODES } from 'node:http';

import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Fault } from '@commerce/kernel';
import { Log, type RateLimit } from '@commerce/platform';
import type { Response } from 'express';

import { setRateLimit } from '../replies/rate-limit-headers.js';
import type { ServiceRequest } from '../service-request.js';
import { errorsFrom } from '../versions/versions.js';
import { faultOf } from './fault-of.js';
import { againOf, statusOf } from './statuses.js';

/** Replies to every thrown error with a problem document (RFC 9457). */
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
      // A list was already streaming: closing the connection is the only honest signal left.
      response.destroy();
      return;
    }
    const { retry_after_ms, rate_limit: limit, allow, ...details } = known.details;
    const wait =
      typeof retry_after_ms === 'number' ? retry_after_ms : againOf(known.code) === 'soon' ? 0 : null;
    if (wait !== null) response.setHeader('Retry-After', String(Math.max(1, Math.ceil(wait / 1000))));
    if (limit !== undefined) setRateLimit(response, limit as RateLimit, 0, wait ?? 0);
    if (Array.isArray(allow)) response.setHeader('Allow', allow.join(', '));
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    // The header of the route is about its content.
    response.setHeader('Cache-Control', 'no-store');
    response
      .status(status)
      .type('application/problem+json')
      .send(JSON.stringify(problem(known, status, details, request)));
  }
}

/** The members of RFC 9457, the code, the request's id and the input errors by field. */
function problem(known: Fault, status: number, details: object, request: ServiceRequest): object {
  const errors = known.details.errors ?? [];
  const named =
    request.version === undefined ? errors : errorsFrom(request.version, errors, request.sentBody);
  const isFirst = errors[0]?.message === known.message;
  return {
    ...details,
    type: `urn:problem:${known.code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: (isFirst ? named[0]?.message : undefined) ?? known.message,
    code: known.code,
    request_id: request.requestId,
    errors: named,
  };
}

import { randomUUID } from 'node:crypto';

import { withActorUnknown } from '@commerce/data';
import { Log, Metrics, withLogContext } from '@commerce/platform';
import type { NextFunction, RequestHandler, Response, Request } from 'express';

import type { ServiceRequest } from '../service-request.js';

/** The ids of callers that are kept; others are not, so that callers cannot inject text into the log. */
const SANE = /^[\w.-]{8,128}$/;

/**
 * Gives every request an id of the service's own, adds it to the reply and to each log line, and counts the request. An
 * id of the caller's is kept beside it, because it proves nothing.
 */
export function requestContext(log: Log, metrics: Metrics): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const given = request.headers['x-request-id'];
    const requestId = randomUUID();
    const callerId = typeof given === 'string' && SANE.test(given) ? given : null;
    Object.assign(request, { requestId, callerRequestId: callerId } satisfies Partial<ServiceRequest>);
    response.setHeader('X-Request-Id', requestId);
    const started = performance.now();
    const ids = { request_id: requestId, ...(callerId === null ? {} : { caller_request_id: callerId }) };
    withLogContext(ids, () => {
      response.once('finish', () => {
        const ms = performance.now() - started;
        const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
        metrics.request(request.method, route, response.statusCode, ms / 1000);
        log.info(
          { method: request.method, route, status: response.statusCode, ms: Math.round(ms * 10) / 10 },
          'request',
        );
      });
      withActorUnknown(next);
    });
  };
}

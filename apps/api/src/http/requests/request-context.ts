import { randomUUID } from 'node:crypto';

import { withActorUnknown } from '@commerce/data';
import { Log, Metrics, withLogContext } from '@commerce/platform';
import type { NextFunction, RequestHandler, Response, Request } from 'express';

import type { ServiceRequest } from '../service-request.js';

/** The ids accepted from a proxy; others are replaced, so that callers cannot inject text into the log. */
const SANE = /^[\w.-]{8,128}$/;

/** Gives every request its id, adds the id to the reply and to each log line, and counts the request. */
export function requestContext(log: Log, metrics: Metrics): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && SANE.test(given) ? given : randomUUID();
    (request as ServiceRequest).requestId = requestId;
    response.setHeader('X-Request-Id', requestId);
    const started = performance.now();
    withLogContext({ request_id: requestId }, () => {
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

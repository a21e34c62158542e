import { SystemClock, type Config } from '@commerce/platform';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

import type { ServiceRequest } from '../service-request.js';
import { NEWEST, bodyFrom, resolveVersion } from '../versions/versions.js';

/** Resolves X-Service-Version, echoes the result and brings the body of an older version into today's shape. */
export function serviceVersion(clock: SystemClock, { publicUrl }: Pick<Config, 'publicUrl'>): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const asked = request.headers['x-service-version'];
    const version =
      typeof asked === 'string' ? resolveVersion(asked, clock.now().toISOString().slice(0, 10)) : NEWEST;
    const service = request as ServiceRequest;
    service.version = version;
    response.setHeader('X-Service-Version', version);
    if (version !== NEWEST && request.body !== undefined) {
      service.sentBody = request.body as unknown;
      request.body = bodyFrom(version, request.body, publicUrl);
    }
    next();
  };
}

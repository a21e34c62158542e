import { SystemClock } from '@commerce/platform';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

import type { ServiceRequest } from '../service-request.js';
import { NEWEST, resolveVersion } from '../versions/versions.js';

/** Resolves X-Service-Version and echoes the result. */
export function serviceVersion(clock: SystemClock): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const asked = request.headers['x-service-version'];
    const version =
      typeof asked === 'string' ? resolveVersion(asked, clock.now().toISOString().slice(0, 10)) : NEWEST;
    (request as ServiceRequest).version = version;
    response.setHeader('X-Service-Version', version);
    next();
  };
}

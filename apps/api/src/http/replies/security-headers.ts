import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Sets Helmet's headers, which are the same for every reply. Helmet itself calls a function for each of them, so it runs
 * once here, on a reply that nobody gets.
 */
export function securityHeaders(): RequestHandler {
  const headers: (readonly [string, string])[] = [];
  const request = new IncomingMessage(new Socket());
  const sample = new ServerResponse(request);
  sample.setHeader = (name, value) => {
    headers.push([name, String(value)]);
    return sample;
  };
  helmet({ contentSecurityPolicy: false })(request, sample, () => undefined);
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

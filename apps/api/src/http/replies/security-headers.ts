import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Whatever a reply holds, its own caller alone may keep it; a route with public content sets another value. */
const UNSTORED = ['Cache-Control', 'no-store'] as const;

/**
 * Sets Helmet's headers, which are the same for every reply, and keeps replies out of caches. Helmet itself calls a function for each of them, so it runs
 * once here, on a reply that nobody gets.
 */
export function securityHeaders(): RequestHandler {
  const headers: (readonly [string, string])[] = [UNSTORED];
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

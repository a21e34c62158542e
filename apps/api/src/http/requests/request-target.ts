import type { IncomingMessage, Server } from 'node:http';

import { fault } from '@commerce/kernel';
import type { RequestHandler } from 'express';

const malformed = new WeakSet<IncomingMessage>();

/**
 * Reduces the absolute form of a request target (`GET http://host/path`) to its path before Express parses it, whose
 * parser throws for some hosts and ports.
 */
export function readTargets(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    const { url = '/' } = request;
    if (url.startsWith('/') || url === '*') return;
    const target = URL.canParse(url) ? new URL(url) : null;
    if (target !== null && /^https?:$/.test(target.protocol)) {
      request.url = target.pathname + target.search;
      return;
    }
    request.url = '/';
    malformed.add(request);
  });
}

/** @throws Fault `target.invalid` for a request target that is no path and no URL */
export function checkTarget(): RequestHandler {
  return (request, _response, next) => {
    if (malformed.has(request)) next(fault('target.invalid', 'The request target must be a path or a URL'));
    else next();
  };
}

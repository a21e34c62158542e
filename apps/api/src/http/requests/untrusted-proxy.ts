import type { Log } from '@commerce/platform';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * Logs once when an untrusted sender names its caller in X-Forwarded-For. All callers behind that sender then share the
 * limits of one address.
 */
export function untrustedProxy(log: Log): RequestHandler {
  let isLogged = false;
  return (request: Request, _response: Response, next: NextFunction) => {
    if (!isLogged && request.headers['x-forwarded-for'] !== undefined && !isTrusted(request)) {
      isLogged = true;
      log.warn(
        { address: request.socket.remoteAddress },
        'X-Forwarded-For comes from an address that TRUST_PROXY does not cover: all callers behind it count as one',
      );
    }
    next();
  };
}

function isTrusted({ app, socket }: Request): boolean {
  const trusts = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return trusts(socket.remoteAddress ?? '', 0);
}

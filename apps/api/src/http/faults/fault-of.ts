import { HttpException } from '@nestjs/common';
import { fault, isFault, type Fault } from '@commerce/kernel';
import { databaseTrouble } from '@commerce/data';

import type { ServiceRequest } from '../service-request.js';
import { allowedMethods } from './allowed-methods.js';

/** Converts a thrown value into a fault. Driver texts and stacks go to the log, never to the caller. */
export function faultOf(thrown: unknown, request: ServiceRequest): Fault {
  if (isFault(thrown)) return thrown;
  if (thrown instanceof HttpException) return ofHttp(thrown, request);
  const trouble = databaseTrouble(thrown);
  // A slow write waited for the database; only a read that is slow, or has no reply in time, may be too large a query.
  if ((trouble === 'slow' || trouble === 'silent') && request.method === 'GET') {
    return fault('query.timeout', 'The query took too long; ask for less, or try again');
  }
  if (trouble !== null) {
    return fault('service.unavailable', 'The service cannot reach its database right now; try again');
  }
  if (thrown instanceof URIError) return fault('path.not_found', 'The path is not well formed');
  return internal();
}

function ofHttp(thrown: HttpException, request: ServiceRequest): Fault {
  const status = thrown.getStatus();
  if (status === 404) {
    const allow = allowedMethods(request);
    if (allow.length > 0)
      return fault('method.not_allowed', `${request.method} is not allowed here`, { allow });
    return fault('path.not_found', `There is nothing at ${request.path}`);
  }
  return status < 500 ? fault('body.malformed', 'The request could not be read') : internal();
}

function internal(): Fault {
  return fault('internal.error', 'Something went wrong on our side; the request id helps us to find it');
}

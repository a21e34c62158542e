import type { Caller } from '@commerce/data';
import type { Request } from 'express';

import type { RequestDeadline } from './requests/request-deadline.js';

/** A request as the layers before the controller leave it. */
export interface ServiceRequest extends Request {
  requestId: string;
  /** The bytes of the body, where a signature or a fingerprint is taken of them. */
  rawBody?: Buffer;
  caller?: Caller;
  /** Closes the connection when its time is over, whatever has been sent by then. */
  deadline: RequestDeadline;
  /** The body as it came, where that is in the shape of an older version. */
  sentBody?: unknown;
  /** The interface's version that the caller asked for, YYYY-MM-DD. */
  version?: string;
}

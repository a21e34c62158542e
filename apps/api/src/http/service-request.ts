import type { Caller } from '@commerce/data';
import type { Request } from 'express';

import type { RequestDeadline } from './requests/request-deadline.js';

/** A request as the layers before the controller prepare it. */
export interface ServiceRequest extends Request {
  requestId: string;
  /** The X-Request-Id that the caller sent. */
  callerRequestId: string | null;
  /** The bytes of the body, present when a signature or a fingerprint needs them. */
  rawBody?: Buffer;
  caller?: Caller;
  /** Closes the connection when its time is over, even in the middle of a reply. */
  deadline: RequestDeadline;
  /** The body as sent, present when it has the shape of an older version. */
  sentBody?: unknown;
  /** The API version that the caller requested, YYYY-MM-DD. */
  version?: string;
}

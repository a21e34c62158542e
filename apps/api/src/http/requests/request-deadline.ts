import type { Config } from '@commerce/platform';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

type Limits = Pick<Config['limits'], 'requestMs' | 'streamMs'>;

/**
 * Closes the connection of a request that takes too long. Time-outs of the server end with each byte that moves: who
 * sends or reads one now and then would hold a connection for ever.
 */
export class RequestDeadline {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly response: Response,
    private readonly limits: Limits,
  ) {
    this.closeAfter(limits.requestMs);
    response.once('close', () => {
      clearTimeout(this.timer);
    });
  }

  /** A reply that is written as it is read from the database has more time, from now on. */
  allowStream(): void {
    this.closeAfter(this.limits.streamMs);
  }

  private closeAfter(ms: number): void {
    clearTimeout(this.timer);
    if (ms === 0) return;
    this.timer = setTimeout(() => {
      this.response.destroy();
    }, ms).unref();
  }
}

/** Gives every request its deadline, before anything is read or written. */
export function requestDeadline(limits: Limits): RequestHandler {
  return (request: Request & { deadline?: RequestDeadline }, response: Response, next: NextFunction) => {
    request.deadline = new RequestDeadline(response, limits);
    next();
  };
}

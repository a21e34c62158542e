import type { Config } from '@commerce/platform';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

type Limits = Pick<Config['limits'], 'requestMs' | 'streamMs'>;

/**
 * Closes the connection of a request that takes too long. The server's own time-outs restart with each byte, so a
 * client that sends or reads one now and then would hold a connection without end. The server's time-out for silent
 * connections closes those that wait for their client; it spares those whose request is being processed.
 */
export class RequestDeadline {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly request: Request,
    response: Response,
    private readonly limits: Limits,
  ) {
    this.closeAfter(limits.requestMs);
    // Where this event has a listener, Node does not close the connection itself.
    response.on('timeout', () => {
      if (!request.complete || response.headersSent) request.socket.destroy();
    });
    // A refusal may be sent while the body is still arriving.
    response.once('close', () => {
      if (request.complete) this.clear();
      else request.once('end', this.clear).once('close', this.clear);
    });
  }

  /** Restarts the deadline with more time, for a reply that is streamed from the database. */
  allowStream(): void {
    this.closeAfter(this.limits.streamMs);
  }

  private closeAfter(ms: number): void {
    this.clear();
    if (ms === 0) return;
    this.timer = setTimeout(() => {
      this.request.socket.destroy();
    }, ms).unref();
  }

  private readonly clear = (): void => {
    clearTimeout(this.timer);
  };
}

/** Starts the deadline of every request, before anything is read or written. */
export function requestDeadline(limits: Limits): RequestHandler {
  return (request: Request & { deadline?: RequestDeadline }, response: Response, next: NextFunction) => {
    request.deadline = new RequestDeadline(request, response, limits);
    next();
  };
}

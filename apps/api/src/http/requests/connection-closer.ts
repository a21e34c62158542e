import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** A process that is told to end takes requests for so long, so that clients hear of it before their next one. */
const LAST_REQUESTS_MS = 500;

/**
 * Once the process is told to end, each reply says that it is the last one on its connection. Else clients that keep
 * their connections open and go on asking would hold the process until it is ended by force, with requests under way.
 */
@Injectable()
export class ConnectionCloser {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Begins with that; resolves when the server may be closed, which cuts off the connections that are idle. */
  async finishRequests(): Promise<void> {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      response.setHeader('Connection', 'close');
    });
    await pause(LAST_REQUESTS_MS);
    // The replies that are still under way were begun before: their connections end soon after them.
    server.keepAliveTimeout = 1;
  }
}

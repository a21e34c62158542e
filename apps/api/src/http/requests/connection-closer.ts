import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** A process that is told to end takes requests for so long, so that clients hear of it before their next one. */
const LAST_REQUESTS_MS = 500;

/**
 * Once the process is told to end, each reply says that it is the last one on its connection. Else clients that keep
 * their connections open and go on asking would hold the process until it is ended by force, with requests under way.
 */
@Injectable()
export class ConnectionCloser implements OnModuleInit {
  private readonly underWay = new Set<ServerResponse>();
  private isEnding = false;

  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    this.server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      if (this.isEnding) response.setHeader('Connection', 'close');
      this.underWay.add(response);
      response.once('close', () => this.underWay.delete(response));
    });
  }

  /** Begins with that; resolves when the server may be closed, which cuts off the connections that are idle. */
  async finishRequests(): Promise<void> {
    this.isEnding = true;
    for (const response of this.underWay)
      if (!response.headersSent) response.setHeader('Connection', 'close');
    // A stream that has begun cannot say so any more: its connection ends soon after it.
    this.server.keepAliveTimeout = 1;
    await pause(LAST_REQUESTS_MS);
  }

  private get server(): Server {
    return this.host.httpAdapter.getHttpServer() as Server;
  }
}

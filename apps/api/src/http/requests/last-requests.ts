import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** How long a terminating process still accepts requests, so that clients learn of it before their next one. */
const LAST_REQUESTS_MS = 500;

/**
 * Marks each further reply as the last on its connection. Otherwise busy keep-alive clients would hold the process
 * until it is killed mid-request. Resolves when the server may be closed, which ends idle connections.
 */
export async function takeLastRequests(server: Server): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Connection', 'close');
  });
  await pause(LAST_REQUESTS_MS);
  // Replies begun before this point lack the mark: their connections end soon after them.
  server.keepAliveTimeout = 1;
}

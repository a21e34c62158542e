import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** A process that is told to end takes requests for so long, so that clients hear of it before their next one. */
const LAST_REQUESTS_MS = 500;

/**
 * From now on each reply says that it is the last one on its connection. Else clients that keep their connections open
 * and go on asking would hold the process until it is ended by force, with requests under way. Resolves when the server
 * may be closed, which cuts off the connections that are idle.
 */
export async function takeLastRequests(server: Server): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Connection', 'close');
  });
  await pause(LAST_REQUESTS_MS);
  // The replies that are still under way were begun before: their connections end soon after them.
  server.keepAliveTimeout = 1;
}

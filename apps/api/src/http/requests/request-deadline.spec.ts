import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

import express from 'express';

import type { ServiceRequest } from '../service-request.js';
import { requestDeadline } from './request-deadline.js';

const LIMITS = { requestMs: 300, streamMs: 1200 };
const DRIP_MS = 50;
/** The server's own time-out for connections on which nothing is sent. */
const SILENT_MS = 100;
/** More than the buffers of both ends of a connection take. */
const LARGE = Buffer.alloc(64_000_000);

let server: Server;
beforeAll(async () => {
  const app = express();
  app.use(requestDeadline(LIMITS));
  // Both write a byte now and then, without end.
  app.get('/reply', (_request, response) => {
    drip((text) => response.write(text), response);
  });
  app.get('/stream', (request, response) => {
    (request as unknown as ServiceRequest).deadline.allowStream();
    drip((text) => response.write(text), response);
  });
  app.post('/body', express.json(), (_request, response) => {
    response.json({});
  });
  app.post('/refused', (_request, response) => {
    response.status(401).json({});
  });
  app.get('/', (_request, response) => {
    response.json({});
  });
  app.get('/slow', (_request, response) => {
    setTimeout(() => response.json({}), 2 * SILENT_MS);
  });
  app.get('/large', (request, response) => {
    (request as unknown as ServiceRequest).deadline.allowStream();
    response.send(LARGE);
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.setTimeout(SILENT_MS);
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function drip(write: (text: string) => void, end: NodeJS.EventEmitter): void {
  const timer = setInterval(() => {
    write(' ');
  }, DRIP_MS);
  end.once('close', () => {
    clearInterval(timer);
  });
}

/** The milliseconds for which the server keeps the connection open. */
async function openFor(head: string, client?: 'drips' | 'silent'): Promise<number> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  if (client !== 'silent') socket.resume();
  const [connection] = await accepted;
  const started = performance.now();
  socket.write(`${head}\r\nHost: localhost\r\n`);
  socket.write(
    client === 'drips' ? 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n' : '\r\n',
  );
  if (client === 'drips') drip((text) => socket.write(text), socket);
  // `once` of node:events would reject where the connection is reset, which is an end, too.
  await new Promise((resolve) => connection.once('close', resolve));
  socket.destroy();
  return performance.now() - started;
}

describe('the deadline of a request', () => {
  it.each([
    ['a body of which a byte comes now and then', 'POST /body HTTP/1.1', 'drips' as const],
    ['such a body of a request that is refused', 'POST /refused HTTP/1.1', 'drips' as const],
    ['a reply that never ends', 'GET /reply HTTP/1.1', undefined],
  ])('ends %s', async (_: string, head: string, client?: 'drips' | 'silent') => {
    const ms = await openFor(head, client);
    expect(ms).toBeGreaterThan(LIMITS.requestMs - 20);
    expect(ms).toBeLessThan(LIMITS.streamMs);
  });

  it('is later for streamed replies', async () => {
    expect(await openFor('GET /stream HTTP/1.1')).toBeGreaterThan(LIMITS.streamMs - 20);
  });

  it('lets a request be processed for longer than a connection may be silent', async () => {
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/slow`;
    expect((await fetch(url)).status).toBe(200);
  });

  it.each([
    [
      'a body that stops',
      'POST /body HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 9',
      LIMITS.requestMs,
    ],
    ['a reply that nobody reads', 'GET /large HTTP/1.1', LIMITS.streamMs],
  ])('comes after the end of silent connections: %s', async (_, head, deadlineMs) => {
    const ms = await openFor(head, 'silent');
    expect(ms).toBeGreaterThan(SILENT_MS - 20);
    expect(ms).toBeLessThan(deadlineMs - 20);
  });

  it('leaves a connection open while its requests are answered', async () => {
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
    for (let index = 0; index < 4; index += 1) {
      expect((await fetch(url)).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, LIMITS.requestMs / 3));
    }
  });
});

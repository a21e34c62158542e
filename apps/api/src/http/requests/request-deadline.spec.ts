import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import express from 'express';

import type { ServiceRequest } from '../service-request.js';
import { requestDeadline } from './request-deadline.js';

const LIMITS = { requestMs: 300, streamMs: 1200 };
const DRIP_MS = 50;

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
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
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

/** The milliseconds for which the connection stays open. */
async function openFor(head: string, drips = false): Promise<number> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  const started = performance.now();
  socket.write(`${head}\r\nHost: localhost\r\n`);
  socket.write(drips ? 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n' : '\r\n');
  if (drips) drip((text) => socket.write(text), socket);
  // `once` of node:events would reject where the connection is reset, which is an end, too.
  await new Promise((resolve) => socket.once('close', resolve));
  return performance.now() - started;
}

describe('the deadline of a request', () => {
  it.each([
    ['a body of which a byte comes now and then', 'POST /body HTTP/1.1', true],
    ['such a body of a request that is refused', 'POST /refused HTTP/1.1', true],
    ['a reply that never ends', 'GET /reply HTTP/1.1', false],
  ])('ends %s', async (_, head, drips) => {
    const ms = await openFor(head, drips);
    expect(ms).toBeGreaterThan(LIMITS.requestMs - 20);
    expect(ms).toBeLessThan(LIMITS.streamMs);
  });

  it('is later for streamed replies', async () => {
    expect(await openFor('GET /stream HTTP/1.1')).toBeGreaterThan(LIMITS.streamMs - 20);
  });

  it('leaves a connection open while its requests are answered', async () => {
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
    for (let index = 0; index < 4; index += 1) {
      expect((await fetch(url)).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, LIMITS.requestMs / 3));
    }
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import express, { type RequestHandler } from 'express';
import helmet from 'helmet';

import { securityHeaders } from './security-headers.js';

async function headersBy(handler: RequestHandler): Promise<[string, string][]> {
  const app = express().disable('x-powered-by').use(handler);
  app.use((_request, response) => {
    response.end();
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reply = await fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
  server.close();
  return [...reply.headers].filter(([name]) => name !== 'date');
}

describe('The security headers', () => {
  it('are those that Helmet sets, and keep replies out of caches', async () => {
    const own = await headersBy(securityHeaders());
    const expected = await headersBy(helmet({ contentSecurityPolicy: false }));
    expect(own).toEqual([['cache-control', 'no-store'], ...expected]);
    expect(own.map(([name]) => name)).toContain('strict-transport-security');
  });
});

import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';

import { AUTHORITY, FOR_LOCALHOST } from '../libs/platform/src/http-client/certificates.spec-data.js';

const { createSecureContext } = tls;

/**
 * TLS in front of a sandbox, for services in production mode. Until it is stopped, this process trusts the tests'
 * authority.
 */
export class SecureSandbox {
  /** The address of the sandbox. */
  target = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SecureSandbox> {
    const server = createServer(FOR_LOCALHOST);
    const secure = new SecureSandbox(server);
    server.on('request', (incoming, response) => {
      const { method, headers, url = '' } = incoming;
      const forwarded = request(`${secure.target}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
      incoming.pipe(forwarded);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    tls.createSecureContext = (options) => createSecureContext({ ca: AUTHORITY, ...options });
    return secure;
  }

  get url(): string {
    return `https://localhost:${String((this.server.address() as AddressInfo).port)}`;
  }

  stop(): void {
    tls.createSecureContext = createSecureContext;
    this.server.close();
    this.server.closeAllConnections();
  }
}

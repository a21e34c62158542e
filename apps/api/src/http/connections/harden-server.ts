import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Server } from 'node:http';

import { Log } from '@commerce/platform';

import { ConnectionLimiter, type ConnectionLimits } from './connection-limiter.js';

/** The longest time for which a connection may wait in silence for its client. */
const SILENT_MS = 30_000;

const CONNECTIONS: ConnectionLimits = { total: 1000, perAddress: 250, newMs: 10_000, idleMs: 65_000 };

/** Refused connections are logged at most this often. */
const LOG_MS = 60_000;

/** Sets the limits that keep slow, silent or greedy clients from occupying the server. */
export function hardenServer(app: NestExpressApplication): void {
  const server: Server = app.getHttpServer();
  server.headersTimeout = CONNECTIONS.newMs;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = CONNECTIONS.idleMs;
  // Ends connections of silent clients early; the request deadline ends slow ones.
  server.setTimeout(SILENT_MS);
  const trusts = app.getHttpAdapter().getInstance().get('trust proxy fn') as Trusts;
  const onRefused = refusalLog(app.get(Log));
  new ConnectionLimiter(CONNECTIONS, { isProxy: (address) => trusts(address, 0), onRefused }).guard(server);
}

type Trusts = (address: string, hop: number) => boolean;

function refusalLog(log: Log): (address: string) => void {
  let loggedAt = -Infinity;
  return (address) => {
    if (performance.now() - loggedAt < LOG_MS) return;
    loggedAt = performance.now();
    log.warn(
      { address, per_address: CONNECTIONS.perAddress, total: CONNECTIONS.total },
      'A connection was refused: this address, or the API, has too many busy ones',
    );
  };
}

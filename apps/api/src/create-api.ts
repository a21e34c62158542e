import 'reflect-metadata';

import type { Server } from 'node:http';

import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { CONFIG, Log, Metrics, START_OPTIONS, SystemClock, type Config } from '@commerce/platform';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

import { ApiModule } from './api.module.js';
import { serveConsole } from './console/console.js';
import { ReplyAdapter } from './http/replies/reply.adapter.js';
import { jsonBody } from './http/requests/json-body.js';
import { requestDeadline } from './http/requests/request-deadline.js';
import { RequestLimiter, limitedByAddress } from './http/requests/request-limiter.js';
import { requestContext } from './http/requests/request-context.js';
import { serviceVersion } from './http/requests/version.middleware.js';
import { serveDocs } from './openapi/docs.js';

const BODY_LIMIT = '100kb';
const BULK_LIMIT = '1mb';
/** For so long may a connection stand still while a request is answered. */
const SILENT_MS = 30_000;

/** Builds the API, ready to listen; `npm start` and the tests use the same. */
export async function createApi(): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(ApiModule, new ReplyAdapter(), {
    bodyParser: false,
    ...START_OPTIONS,
  });
  const log = app.get(Log);
  app.useLogger(log);
  app.flushLogs();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  const config = app.get<Config>(CONFIG);
  const { trustedProxies, limits } = config;
  app.set('trust proxy', trustedProxies);
  app.use(requestDeadline(limits));
  app.use(requestContext(log, app.get(Metrics)));
  app.use(helmet({ contentSecurityPolicy: false }));
  const parsers = { usual: jsonBody(BODY_LIMIT), bulk: jsonBody(BULK_LIMIT) };
  app.use((request: Request, response: Response, next: NextFunction) => {
    const parse = request.path.endsWith('/bulk') ? parsers.bulk : parsers.usual;
    Promise.resolve(parse(request, response, next)).catch(next);
  });
  app.use(serviceVersion(app.get(SystemClock), config));
  // Pages are no routes, so no guard counts them.
  app.use(['/docs', '/docs-json', '/console'], limitedByAddress(app.get(RequestLimiter)));
  serveDocs(app);
  serveConsole(app);
  hardened(app.getHttpServer());
  return app;
}

/** Limits that keep slow or greedy clients from holding the server. */
function hardened(server: Server): void {
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 65_000;
  // Who stands still is cut off early; who is slow, by the deadline of the request.
  server.setTimeout(SILENT_MS);
  server.maxConnections = 1000;
}

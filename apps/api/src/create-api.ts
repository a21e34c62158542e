import 'reflect-metadata';

import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { CONFIG, Log, Metrics, SystemClock, type Config } from '@commerce/platform';
import { START_OPTIONS } from '@commerce/process';

import { ApiModule } from './api.module.js';
import { serveConsole } from './console/console.js';
import { hardenServer } from './http/connections/harden-server.js';
import { ReplyAdapter } from './http/replies/reply.adapter.js';
import { securityHeaders } from './http/replies/security-headers.js';
import { requestDeadline } from './http/requests/request-deadline.js';
import { RequestLimiter, limitedByAddress } from './http/requests/request-limiter.js';
import { requestContext } from './http/requests/request-context.js';
import { checkTarget, readTargets } from './http/requests/request-target.js';
import { untrustedProxy } from './http/requests/untrusted-proxy.js';
import { serviceVersion } from './http/requests/version.middleware.js';
import { serveDocs } from './openapi/page/docs.js';

/** Builds the API, ready to listen, for `npm start` and the tests. */
export async function createApi(): Promise<NestExpressApplication> {
  const adapter = new ReplyAdapter();
  const app = await NestFactory.create<NestExpressApplication>(ApiModule, adapter, {
    bodyParser: false,
    ...START_OPTIONS,
  });
  const log = app.get(Log);
  app.useLogger(log);
  app.flushLogs();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  const { trustedProxies, limits } = app.get<Config>(CONFIG);
  app.set('trust proxy', trustedProxies);
  app.use(requestDeadline(limits));
  app.use(requestContext(log, app.get(Metrics)));
  app.use(checkTarget());
  app.use(untrustedProxy(log));
  app.use(securityHeaders());
  app.use(serviceVersion(app.get(SystemClock)));
  // Pages are not routes, so no guard counts them.
  const limited = limitedByAddress(app.get(RequestLimiter));
  app.use(['/docs', '/docs-json', '/console'], limited);
  adapter.beforeUnrouted = limited;
  serveDocs(app);
  serveConsole(app);
  hardenServer(app);
  readTargets(app.getHttpServer());
  return app;
}

import { createServer, type Server } from 'node:http';
import { isIP } from 'node:net';

import { Injectable } from '@nestjs/common';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';

import type { Config } from '@commerce/platform';
import { JobQueue } from '@commerce/jobs';
import { RedisClient, Log, Metrics } from '@commerce/platform';
import { STYLED_IN_PLACE, pagePolicy } from './page-policy.js';
import { Database } from '@commerce/data';

const QUEUES_PATH = '/queues';

/** The operators' port: health, metrics and the queues. It is not public and listens on loopback. */
@Injectable()
export class ManagementServer {
  private server: Server | null = null;
  private ready = false;

  constructor(
    private readonly jobs: JobQueue,
    private readonly redis: RedisClient,
    private readonly database: Database,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  async listen(port: number, config: Pick<Config, 'managementHost' | 'queuesWritable'>): Promise<void> {
    const { managementHost: host, queuesWritable } = config;
    const server = createServer(this.app(host, queuesWritable));
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    this.ready = true;
  }

  /** From now on /health/ready reports that the process accepts no more work. */
  notReady(): void {
    this.ready = false;
  }

  close(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private app(host: string, queuesWritable: boolean): Express {
    const app = express();
    app.disable('x-powered-by');
    app.use(knownHostsOnly(host), pagePolicy({ ...STYLED_IN_PLACE, baseUri: ["'self'"] }));
    app.get('/health/live', (_request, response) => {
      response.json({ status: 'ok' });
    });
    app.get('/health/ready', async (_request, response) => {
      const checks = await this.checks();
      response.status(checks.status === 'ok' ? 200 : 503).json(checks);
    });
    app.get('/metrics', async (_request, response) => {
      await this.measure();
      response.type(this.metrics.registry.contentType).send(await this.metrics.text());
    });
    let board: Promise<RequestHandler> | undefined;
    app.use(QUEUES_PATH, async (request, response, next) => {
      const page = await (board ??= this.loadBoard(queuesWritable));
      await page(request, response, next);
    });
    return app;
  }

  /** Few processes are asked for the page, whose packages are a tenth of the code that a start would load. */
  private async loadBoard(isWritable: boolean): Promise<RequestHandler> {
    const { queueBoard } = await import('./queue-board.js');
    return queueBoard(this.jobs, QUEUES_PATH, isWritable);
  }

  /** Ready means that the database answers. Redis is only reported: without it work is slower, but does not stop. */
  private async checks(): Promise<{ status: 'ok' | 'unavailable'; mongodb: string; redis: string }> {
    const [mongodb, redis] = await Promise.all([answers(this.database.ping()), answers(this.redis.ping())]);
    return { status: this.ready && mongodb === 'ok' ? 'ok' : 'unavailable', mongodb, redis };
  }

  private async measure(): Promise<void> {
    const queues = this.jobs.allQueues().map(async (queue) => {
      const counts = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
      for (const [state, jobs] of Object.entries(counts)) this.metrics.queueDepth(queue.name, state, jobs);
    });
    for (const result of await Promise.allSettled(queues)) {
      if (result.status === 'rejected')
        this.log.debug({ error: result.reason as unknown }, 'A metric could not be read');
    }
  }
}

/**
 * Refuses requests for a host name that a foreign DNS may have pointed at this machine, by which a page in the
 * operator's browser would reach this port. IP addresses, names without a dot and the configured name are accepted.
 */
export function knownHostsOnly(own: string) {
  return ({ headers }: Request, response: Response, next: NextFunction): void => {
    const name = (headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
    const address = name.replace(/^\[(.*)\]$/, '$1');
    if (isIP(address) !== 0 || (name !== '' && !name.includes('.')) || name === own.toLowerCase()) next();
    else response.status(421).json({ status: 'unknown host' });
  };
}

async function answers(ping: Promise<void>): Promise<'ok' | 'unavailable'> {
  const timeout = new Promise<'unavailable'>((resolve) =>
    setTimeout(() => resolve('unavailable'), 2000).unref(),
  );
  return Promise.race([ping.then(() => 'ok' as const).catch(() => 'unavailable' as const), timeout]);
}

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Companies, Keys } from '@commerce/identity';
import { Database, type Id } from '@commerce/platform';
import { Client, Receiver, idIn } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { createApi } from '../apps/api/src/create-api.js';
import { createSandbox, type Sandbox } from '../apps/sandbox/src/create-sandbox.js';
import { createWorker, startWorker } from '../apps/worker/src/create-worker.js';

export interface WorldOptions {
  /** Whether a worker runs beside the API; true unless a test wants to see what waits. */
  readonly worker?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** A company with its two keys, and itself as a caller. */
export interface Merchant {
  readonly company: Id;
  readonly apiKey: string;
  readonly serviceKey: string;
  readonly admin: Client;
}

/** The whole service in one process, on real servers and a database of its own, with one merchant in it. */
export class World implements Merchant {
  readonly company: Id;
  readonly apiKey: string;
  readonly serviceKey: string;
  readonly admin: Client;
  private readonly receivers: Receiver[] = [];

  private constructor(
    readonly api: NestExpressApplication,
    readonly worker: INestApplicationContext | null,
    readonly sandbox: Sandbox,
    readonly baseUrl: string,
    merchant: Omit<Merchant, 'admin'>,
    private readonly dataDir: string,
  ) {
    this.company = merchant.company;
    this.apiKey = merchant.apiKey;
    this.serviceKey = merchant.serviceKey;
    this.admin = new Client(baseUrl, { apiKey: merchant.apiKey, bearer: merchant.serviceKey });
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    const dataDir = mkdtempSync(join(tmpdir(), 'commerce-test-'));
    const sandbox = await createSandbox();
    Object.assign(process.env, environment(sandbox.url, dataDir), options.env);
    const api = await createApi();
    await api.get(Database).ensureIndexes();
    await api.listen(0, '127.0.0.1');
    const baseUrl = (await api.getUrl()).replace('[::1]', '127.0.0.1');
    const worker = options.worker === false ? null : await createWorker();
    if (worker) startWorker(worker);
    return new World(api, worker, sandbox, baseUrl, await foundCompany(api), dataDir);
  }

  /** Another company, to see that it sees nothing. */
  async stranger(settings: Parameters<typeof foundCompany>[1] = {}): Promise<Merchant> {
    const founded = await foundCompany(this.api, settings);
    return {
      ...founded,
      admin: new Client(this.baseUrl, { apiKey: founded.apiKey, bearer: founded.serviceKey }),
    };
  }

  get<T>(token: abstract new (...args: never[]) => T): T {
    return this.api.get<T>(token);
  }

  /** A caller with the API key only. */
  get anonymous(): Client {
    return new Client(this.baseUrl, { apiKey: this.apiKey });
  }

  /** A user of the company, and itself as a caller. */
  async user(values: object = {}): Promise<{ id: string; client: Client; record: any }> {
    const record = await this.admin.made('/users', { name: 'Ada', ...values });
    const { access_token: token } = await this.admin.made(`/users/${idIn(record)}/tokens`);
    return { id: idIn(record), client: this.anonymous.as(token), record };
  }

  /** A merchant's endpoint. */
  async receiver(): Promise<Receiver> {
    const receiver = await Receiver.start();
    this.receivers.push(receiver);
    return receiver;
  }

  async stop(): Promise<void> {
    await this.worker?.close();
    await this.api.get<Connection>(getConnectionToken()).dropDatabase();
    await this.api.close();
    await this.sandbox.close();
    await Promise.all(this.receivers.map((receiver) => receiver.stop()));
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

async function foundCompany(
  api: NestExpressApplication,
  settings: Partial<Parameters<Companies['create']>[0]> = {},
): Promise<Omit<Merchant, 'admin'>> {
  const company = await api.get(Companies).create({ name: 'Test company', ...settings });
  const mode = settings.mode ?? 'test';
  const { key: apiKey } = await api.get(Keys).create(company._id, 'api', mode);
  const { key: serviceKey } = await api.get(Keys).create(company._id, 'service', mode);
  return { company: company._id, apiKey, serviceKey };
}

/** Settings of a world: the servers of this run, a database of its own, quick sweeps, no limits in the way. */
function environment(sandboxUrl: string, dataDir: string): Record<string, string> {
  const { MONGODB_URI: mongodb, REDIS_URL: redis, JEST_WORKER_ID: worker = '1' } = process.env;
  if (mongodb === undefined || redis === undefined) {
    throw new Error('MONGODB_URI and REDIS_URL are not set: run these tests by `npm test`');
  }
  const database = new URL(mongodb);
  database.pathname = `/test_${randomBytes(6).toString('hex')}`;
  const queues = new URL(redis);
  queues.pathname = `/${String(Number(worker) % 16)}`;
  return {
    NODE_ENV: 'test',
    MONGODB_URI: database.href,
    REDIS_URL: queues.href,
    DATA_DIR: dataDir,
    STRIPE_SECRET_KEY: 'sk_test_world',
    STRIPE_API_BASE: sandboxUrl,
    STRIPE_WEBHOOK_SECRET: 'whsec_world',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    RATE_LIMIT_PER_SECOND: '0',
    AUTH_FAILURES_PER_MINUTE: '0',
    SWEEP_INTERVAL_MS: '200',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
  };
}

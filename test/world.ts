import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Companies, Keys } from '@commerce/identity';
import { Database, Sharder, engineOf } from '@commerce/data';
import { CONFIG, type Config } from '@commerce/platform';
import { type Id } from '@commerce/records';
import { Client, Receiver, idIn } from '@commerce/testing';
import { mongo, type Connection } from 'mongoose';

import { createApi } from '../apps/api/src/create-api.js';
import { createSandbox, type Sandbox } from '../apps/sandbox/src/create-sandbox.js';
import { createWorker, startWorker } from '../apps/worker/src/create-worker.js';
import { withDatabase } from './mongodb-uri.js';

export interface WorldOptions {
  /** True to run a worker beside the API, the default; false for tests that read pending work. */
  readonly worker?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** A company with its two keys and a client for them. */
export interface Merchant {
  readonly company: Id;
  readonly apiKey: string;
  readonly serviceKey: string;
  readonly admin: Client;
}

/** The whole service in one process, on real servers and its own database, with one merchant. */
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
    merchant: Merchant,
    private readonly dataDir: string,
  ) {
    this.company = merchant.company;
    this.apiKey = merchant.apiKey;
    this.serviceKey = merchant.serviceKey;
    this.admin = merchant.admin;
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    const dataDir = mkdtempSync(join(tmpdir(), 'commerce-test-'));
    const sandbox = await createSandbox();
    Object.assign(process.env, environment(sandbox.url, dataDir), options.env);
    const api = await createApi();
    await api.get(Database).ensureIndexes();
    await shardIfMongos(api);
    await api.listen(0, '127.0.0.1');
    const baseUrl = (await api.getUrl()).replace('[::1]', '127.0.0.1');
    const worker = options.worker === false ? null : await createWorker();
    if (worker) startWorker(worker);
    return new World(api, worker, sandbox, await foundMerchant(api, baseUrl), dataDir);
  }

  get baseUrl(): string {
    return this.admin.baseUrl;
  }

  /** Another company, to test the separation of companies. */
  stranger(settings: CompanySettings = {}): Promise<Merchant> {
    return foundMerchant(this.api, this.baseUrl, settings);
  }

  get<T>(token: abstract new (...args: never[]) => T): T {
    return this.api.get<T>(token);
  }

  /** A caller with the API key only. */
  get anonymous(): Client {
    return new Client(this.baseUrl, { apiKey: this.apiKey });
  }

  /** A user of the company, and a client for their token. */
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

  /** A merchant's endpoint with a webhook for one kind of event. */
  async listening(
    kind = 'user.created',
    path = '',
  ): Promise<{ receiver: Receiver; id: string; webhook: any }> {
    const receiver = await this.receiver();
    const webhook = await this.admin.made('/webhooks', {
      event_type: kind,
      endpoint: `${receiver.url}${path}`,
    });
    return { receiver, id: idIn(webhook), webhook };
  }

  async stop(): Promise<void> {
    await closed(this.worker);
    await dropDatabase(this.api.get<Config>(CONFIG).mongodbUri);
    await closed(this.api);
    await this.sandbox.close();
    await Promise.all(this.receivers.map((receiver) => receiver.stop()));
    rmSync(this.dataDir, { recursive: true, force: true });
    // The modules of test files stay loaded, each with its world.
    Object.assign(this, { api: null, worker: null, sandbox: null });
  }
}

/** Closes an app, and has Mongoose forget its connection. */
async function closed(app: INestApplicationContext | null): Promise<void> {
  const connection = app?.get<Connection>(getConnectionToken());
  await app?.close();
  await connection?.destroy();
}

/** Where the tests run on a sharded cluster, each world has every collection sharded. */
async function shardIfMongos(api: NestExpressApplication): Promise<void> {
  if (!engineOf(api.get<Connection>(getConnectionToken())).isSharded) return;
  const sharder = api.get(Sharder);
  const silent = (): void => undefined;
  await sharder.carryOut(await sharder.plan(silent), silent);
}

/**
 * Drops a database by a client without deadlines: a transaction whose end was lost keeps its locks for up to a minute,
 * longer than a call of the service may take.
 */
async function dropDatabase(uri: string): Promise<void> {
  const client = new mongo.MongoClient(uri);
  await client.db().dropDatabase();
  await client.close();
}

type CompanySettings = Partial<Parameters<Companies['create']>[0]>;

async function foundMerchant(
  api: NestExpressApplication,
  baseUrl: string,
  settings: CompanySettings = {},
): Promise<Merchant> {
  const { _id: company } = await api.get(Companies).create({ name: 'Test company', ...settings });
  const mode = settings.mode ?? 'test';
  const { key: apiKey } = await api.get(Keys).create(company, 'api', mode);
  const { key: serviceKey } = await api.get(Keys).create(company, 'service', mode);
  const admin = new Client(baseUrl, { apiKey, bearer: serviceKey });
  return { company, apiKey, serviceKey, admin };
}

/** The settings of a world: this run's servers, its own database, quick sweeps, and generous limits. */
function environment(sandboxUrl: string, dataDir: string): Record<string, string> {
  const { MONGODB_URI: mongodb, REDIS_URL: redis, JEST_WORKER_ID: worker = '1' } = process.env;
  if (mongodb === undefined || redis === undefined) {
    throw new Error('MONGODB_URI and REDIS_URL are not set: run these tests by `npm test`');
  }
  const queues = new URL(redis);
  queues.pathname = `/${String(Number(worker) % 16)}`;
  return {
    NODE_ENV: 'test',
    MONGODB_URI: withDatabase(mongodb, `test_${randomBytes(6).toString('hex')}`),
    REDIS_URL: queues.href,
    DATA_DIR: dataDir,
    STRIPE_SECRET_KEY: 'sk_test_world',
    STRIPE_API_BASE: sandboxUrl,
    STRIPE_WEBHOOK_SECRET: 'whsec_world',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    RATE_LIMIT_PER_SECOND: '0',
    USER_RATE_LIMIT_PER_SECOND: '0',
    ADDRESS_RATE_LIMIT_PER_SECOND: '0',
    CARD_ATTEMPTS_PER_HOUR: '0',
    COUPON_GUESSES_PER_HOUR: '0',
    VERIFIES_PER_MINUTE_AND_HOST: '0',
    WEBHOOKS_PER_COMPANY: '0',
    AUTH_FAILURES_PER_MINUTE: '0',
    SWEEP_INTERVAL_MS: '600',
    // Tests share two cores; tests of the deadline set it themselves.
    DATABASE_TIMEOUT: '200s',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
  };
}

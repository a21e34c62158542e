import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { HEAP_LIMITS, mainOf } from '@commerce/stack';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import { Companies, IdentityModule, Keys } from '@commerce/identity';
import { ProcessModule } from '@commerce/process';
import {
  Client,
  Receiver,
  eventually,
  freePort,
  idIn,
  callProvider,
  providerCharges,
  type ProviderCharge,
} from '@commerce/testing';
import { Redis } from 'ioredis';
import type { Connection } from 'mongoose';

import { withDatabase } from './mongodb-uri.js';

export type ProcessName = 'sandbox' | 'api' | 'worker';

/** Creates the company whose keys the test uses; needs only the database. */
@Module({ imports: [ProcessModule.forCommands(), IdentityModule] })
class FoundingModule {}

/**
 * The service as real processes of the built output, which a test can kill and restart. The database and the Redis
 * database belong to this test; the Redis server is shared.
 */
export class ServiceProcesses {
  readonly children = new Map<string, ChildProcess>();
  readonly receivers: Receiver[] = [];
  /** The management port of each worker that was started. */
  readonly workerPorts = new Map<string, number>();
  admin: Client;
  apiKey: string;

  private constructor(
    readonly env: Record<string, string>,
    private readonly founding: INestApplicationContext,
    private readonly dataDir: string,
  ) {}

  static async start(extra: Readonly<Record<string, string>> = {}): Promise<ServiceProcesses> {
    const dataDir = mkdtempSync(join(tmpdir(), 'commerce-fault-'));
    const env = { ...(await environment(dataDir)), ...extra };
    Object.assign(process.env, env);
    const founding = await NestFactory.createApplicationContext(FoundingModule, { logger: false });
    const service = new ServiceProcesses(env, founding, dataDir);
    service.admin = await service.founded('Faults');
    service.apiKey = service.admin.credentials.apiKey;
    try {
      await service.run('sandbox');
      await Promise.all([service.run('api'), service.run('worker')]);
    } catch (error) {
      // The test receives nothing to stop: the processes would outlive the run.
      await service.stop();
      throw error;
    }
    return service;
  }

  /** A client for the admin of another company. */
  async founded(name: string): Promise<Client> {
    const company = await this.founding.get(Companies).create({ name });
    const { key: apiKey } = await this.founding.get(Keys).create(company._id, 'api', 'test');
    const { key: bearer } = await this.founding.get(Keys).create(company._id, 'service', 'test');
    return new Client(`http://127.0.0.1:${this.env['PORT'] ?? ''}`, { apiKey, bearer });
  }

  get database(): Connection {
    return this.founding.get<Connection>(getConnectionToken());
  }

  /**
   * Starts a process and waits until it is ready. A further worker has its own `label` and port; `main` is the file to
   * run.
   */
  async run(name: ProcessName, label: string = name, main = mainOf(name)): Promise<ChildProcess> {
    const env = { ...process.env, ...this.env };
    if (label !== name) env['WORKER_MANAGEMENT_PORT'] = String(await freePort());
    if (name === 'worker') this.workerPorts.set(label, Number(env['WORKER_MANAGEMENT_PORT']));
    const child = spawn(process.execPath, [...HEAP_LIMITS[name], main], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.children.set(label, child);
    const health = {
      sandbox: `http://127.0.0.1:${env['SANDBOX_PORT'] ?? ''}/health`,
      api: `http://127.0.0.1:${env['API_MANAGEMENT_PORT'] ?? ''}/health/ready`,
      worker: `http://127.0.0.1:${env['WORKER_MANAGEMENT_PORT'] ?? ''}/health/ready`,
    }[name];
    const ask = (): Promise<number> =>
      fetch(health).then(
        (response) => response.status,
        () => 0,
      );
    await eventually(ask, (status) => status === 200, 100_000, { what: `${label} to be ready` });
    return child;
  }

  /** Kills a process, like a power cut, and waits until it is gone. */
  async kill(label: string): Promise<void> {
    const child = this.children.get(label);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    this.children.delete(label);
  }

  /** Deletes everything that Redis holds for this service. */
  async flushRedis(): Promise<void> {
    const redis = new Redis(this.env['REDIS_URL'] ?? '');
    await redis.flushdb();
    redis.disconnect();
  }

  /** The charges by the provider's own books. */
  providerCharges(): Promise<ProviderCharge[]> {
    return providerCharges(this.env['STRIPE_API_BASE'] ?? '', this.env['STRIPE_SECRET_KEY'] ?? '');
  }

  async providerIntent(id: string): Promise<any> {
    const { STRIPE_API_BASE: url = '', STRIPE_SECRET_KEY: key = '' } = this.env;
    const headers = { authorization: `Bearer ${key}` };
    return (await callProvider(url, 'GET', `/v1/payment_intents/${id}`, {}, headers)).body;
  }

  async receiver(): Promise<Receiver> {
    const receiver = await Receiver.start();
    this.receivers.push(receiver);
    return receiver;
  }

  /** An endpoint with a webhook for each of these kinds. */
  async listening(...kinds: string[]): Promise<Receiver> {
    const receiver = await this.receiver();
    for (const kind of kinds) {
      await this.admin.made('/webhooks', { event_type: kind, endpoint: `${receiver.url}/${kind}` });
    }
    return receiver;
  }

  /** A user with a saved card that behaves as the provider's test card of this name. */
  async cardholder(card: string, values: object = {}): Promise<{ user: string; method: string }> {
    const user = idIn(await this.admin.made('/users', { name: 'Card Holder', ...values }));
    const method = idIn(await this.admin.made('/payment_methods', { payment_method: 'stripe', user }));
    await this.admin.changed(`/payment_methods/${method}`, { payment_method_id: card });
    return { user, method };
  }

  async stop(): Promise<void> {
    for (const label of [...this.children.keys()]) await this.kill(label);
    await this.database.dropDatabase();
    await this.founding.close();
    await Promise.all(this.receivers.map((receiver) => receiver.stop()));
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

async function environment(dataDir: string): Promise<Record<string, string>> {
  const { MONGODB_URI: mongodb, REDIS_URL: redis, JEST_WORKER_ID: worker = '1' } = process.env;
  if (mongodb === undefined || redis === undefined) {
    throw new Error('MONGODB_URI and REDIS_URL are not set: run these tests by `npm test`');
  }
  const queues = new URL(redis);
  queues.pathname = `/${String(8 + (Number(worker) % 8))}`;
  const [port, api, workers, sandbox] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  return {
    NODE_ENV: 'test',
    MONGODB_URI: withDatabase(mongodb, `fault_${randomBytes(6).toString('hex')}`),
    REDIS_URL: queues.href,
    DATA_DIR: dataDir,
    PORT: String(port),
    API_MANAGEMENT_PORT: String(api),
    WORKER_MANAGEMENT_PORT: String(workers),
    SANDBOX_PORT: String(sandbox),
    STRIPE_SECRET_KEY: 'sk_test_faults',
    STRIPE_API_BASE: `http://127.0.0.1:${String(sandbox)}`,
    STRIPE_WEBHOOK_SECRET: 'whsec_faults',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    RATE_LIMIT_PER_SECOND: '0',
    USER_RATE_LIMIT_PER_SECOND: '0',
    ADDRESS_RATE_LIMIT_PER_SECOND: '0',
    CARD_ATTEMPTS_PER_HOUR: '0',
    COUPON_GUESSES_PER_HOUR: '0',
    VERIFIES_PER_MINUTE_AND_HOST: '0',
    WEBHOOKS_PER_COMPANY: '0',
    SWEEP_INTERVAL_MS: '800',
    // Tests share two cores; tests of the deadline set it themselves.
    DATABASE_TIMEOUT: '200s',
    LEASE_MS: '3000',
    LOG_LEVEL: 'fatal',
  };
}

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ROOT } from '#scripts/system/settings.mjs';
import {
  createCompany,
  waitUntilReady,
  type App,
  type Child,
  type CompanyKeys,
  type Stack,
  type ToolContext,
} from '@commerce/stack';
import { Client, freePort } from '@commerce/testing';
import type { mongo } from 'mongoose';

import type { Measured } from './measure/compare.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));

export interface Benchmark {
  /** Its name on the command line, and the mark of its numbers on the page. */
  readonly name: string;
  /** The processes that it needs, and their own settings. */
  readonly apps: readonly App[];
  readonly env?: NodeJS.ProcessEnv;
  run(context: BenchContext): Promise<Measured[]>;
}

/**
 * The length of a run: `rounds` pairs that count, each of `ms` where time limits a round, or of `things` deliveries or
 * subscriptions; the products to read, and those of one company to search.
 */
export interface Scale {
  readonly rounds: number;
  readonly ms: number;
  readonly things: number;
  readonly products: number;
  readonly searched: number;
}

/** One run of a benchmark. */
export interface Run extends Pick<ToolContext, 'env' | 'processes' | 'log'> {
  readonly scale: Scale;
  /** Folder for V8's profiles. */
  readonly profile: string | null;
  /** The run's own folder, removed afterwards. */
  readonly dataDir: string;
  readonly say: (text: string) => void;
}

/** A company, by its service account, and the database that holds its records. */
export interface Shop {
  readonly admin: Client;
  readonly db: mongo.Db;
}

/** A run on its own servers, with the company whose data is measured. */
export class BenchContext implements Shop {
  readonly scale: Scale;
  readonly say: Run['say'];
  readonly db: mongo.Db;
  readonly company: string;
  readonly admin: Client;

  constructor(
    private readonly run: Run,
    readonly stack: Stack,
    readonly client: mongo.MongoClient,
    keys: CompanyKeys,
  ) {
    ({ scale: this.scale, say: this.say } = run);
    this.db = client.db();
    this.company = keys.company;
    this.admin = this.adminOf(keys);
  }

  async anotherShop(): Promise<Shop> {
    const { processes } = this.run;
    return {
      db: this.db,
      admin: this.adminOf(await createCompany({ processes, env: this.stack.env }, 'Another')),
    };
  }

  private adminOf({ api_key: apiKey, service_key: bearer }: CompanyKeys): Client {
    return new Client(this.stack.uris.api, { apiKey, bearer });
  }

  /** Starts a script of this folder that listens on BENCH_PORT and answers GET /health. */
  async startServer(
    name: string,
    script: string,
    env: NodeJS.ProcessEnv = {},
  ): Promise<{ url: string; pid: number; child: Child }> {
    const { processes, dataDir, log } = this.run;
    const port = String(await freePort());
    const child = processes.start({
      name,
      stage: 2,
      command: process.execPath,
      args: [join(HERE, script)],
      env: { ...this.stack.env, ...env, BENCH_PORT: port },
      cwd: ROOT,
      logFile: join(dataDir, 'logs', `${name}.log`),
    });
    const url = `http://127.0.0.1:${port}`;
    await waitUntilReady(child, `${url}/health`, log);
    return { url, pid: started(name, child.pid), child };
  }

  pidOf(app: App): number {
    return started(app, this.stack.pids[app]);
  }

  /** The pids of MongoDB and Redis where the run has started them itself. */
  get databasePids(): Readonly<Record<string, number>> {
    const { MongoDB: database, Redis: redis } = this.stack.pids;
    return { ...(database === undefined ? {} : { database }), ...(redis === undefined ? {} : { redis }) };
  }
}

function started(name: string, pid: number | undefined): number {
  if (pid === undefined) throw new Error(`${name} was not started`);
  return pid;
}

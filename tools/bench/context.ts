import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ROOT } from '#scripts/system/settings.mjs';
import {
  waitUntilReady,
  type App,
  type Child,
  type CompanyKeys,
  type Stack,
  type ToolContext,
} from '@commerce/stack';
import { Client, freePort } from '@commerce/testing';
import type { mongo } from 'mongoose';

const HERE = fileURLToPath(new URL('.', import.meta.url));

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

/** A script that listens. */
interface Listening {
  readonly url: string;
  readonly pid: number;
  readonly child: Child;
}

/** A run on its own servers, with the company whose data is measured and its service account. */
export class BenchContext {
  /** Facts for the page. */
  readonly facts: Record<string, string> = {};
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
    this.admin = new Client(stack.uris.api, { apiKey: keys.api_key, bearer: keys.service_key });
  }

  /** Starts a script of this folder that listens on BENCH_PORT and answers GET /health. */
  async startServer(name: string, script: string, env: NodeJS.ProcessEnv = {}): Promise<Listening> {
    const { processes, dataDir, log } = this.run;
    const port = await freePort();
    const child = processes.start({
      name,
      stage: 2,
      command: process.execPath,
      args: [join(HERE, script)],
      env: { ...this.stack.env, ...env, BENCH_PORT: String(port) },
      cwd: ROOT,
      logFile: join(dataDir, 'logs', `${name}.log`),
    });
    const url = `http://127.0.0.1:${String(port)}`;
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

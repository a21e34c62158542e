import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ROOT } from '#scripts/system/settings.mjs';
import {
  adminCommand,
  type App,
  type Child,
  jsonIn,
  type Stack,
  type ToolContext,
  waitUntilReady,
} from '@commerce/stack';
import { Client, freePort } from '@commerce/testing';
import mongoose, { type mongo } from 'mongoose';

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

  private constructor(
    private readonly run: Run,
    readonly stack: Stack,
    readonly db: mongo.Db,
    readonly company: string,
    readonly admin: Client,
  ) {
    ({ scale: this.scale, say: this.say } = run);
  }

  static async found(run: Run, stack: Stack, db: mongo.Db): Promise<BenchContext> {
    const { processes } = run;
    const create = ['company:create', '--name', 'Benchmarks'];
    const printed: unknown = await adminCommand(
      { processes, env: stack.env },
      create,
      'The company could not be made',
    );
    const { company, api_key, service_key } = printed as Record<
      'company' | 'api_key' | 'service_key',
      string
    >;
    const admin = new Client(stack.uris.api, { apiKey: api_key, bearer: service_key });
    return new BenchContext(run, stack, db, company, admin);
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

  /** Runs a script of this folder to its end; gives the JSON object that it printed. */
  async runScript<T>(script: string, specification: object): Promise<T> {
    const file = join(this.run.dataDir, 'specification.json');
    writeFileSync(file, mongoose.mongo.BSON.EJSON.stringify(specification));
    const how = { cwd: ROOT, env: this.stack.env, onLine: () => undefined };
    const { code, output } = await this.run.processes.run(process.execPath, [join(HERE, script), file], how);
    return jsonIn(code, output, `${script} failed`) as T;
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

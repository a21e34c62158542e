import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Log } from '#scripts/system/report.mjs';
import { ROOT } from '#scripts/system/settings.mjs';
import {
  adminCommand,
  type Child,
  jsonIn,
  type Processes,
  type Stack,
  waitUntilReady,
} from '@commerce/stack';
import { Client, freePort } from '@commerce/testing';
import type { mongo } from 'mongoose';

import type { Scale } from './scale.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));

interface Parts {
  readonly stack: Stack;
  /** The service's database. */
  readonly db: mongo.Db;
  readonly processes: Processes;
  readonly log: Log;
  /** The run's own folder. */
  readonly dataDir: string;
  readonly scale: Scale;
  readonly say: (text: string) => void;
}

/** What `company:create --json` prints. */
interface Company {
  readonly company: string;
  readonly api_key: string;
  readonly service_key: string;
}

/** What a benchmark works with. */
export class BenchContext {
  readonly stack: Stack;
  readonly db: mongo.Db;
  readonly dataDir: string;
  readonly scale: Scale;
  readonly say: (text: string) => void;
  /** What stands on the page below the ratios, beside the machine. */
  readonly facts: Record<string, string> = {};

  private constructor(
    private readonly parts: Parts,
    /** The id of the company. */
    readonly company: string,
    /** Its service account. */
    readonly admin: Client,
  ) {
    ({ stack: this.stack, db: this.db, dataDir: this.dataDir, scale: this.scale, say: this.say } = parts);
  }

  /** Founds the company whose data is measured. */
  static async found(parts: Parts): Promise<BenchContext> {
    const { stack, processes } = parts;
    const create = ['company:create', '--name', 'Benchmarks'];
    const context = { processes, env: stack.env };
    const { company, api_key, service_key } = (await adminCommand(
      context,
      create,
      'The company could not be made',
    )) as Company;
    const admin = new Client(stack.uris.api, { apiKey: api_key, bearer: service_key });
    return new BenchContext(parts, company, admin);
  }

  /** Puts a fact on the page. */
  tell(name: string, value: string): void {
    this.facts[name] = value;
    this.say(`${name}: ${value}`);
  }

  /** Starts a script of this folder that listens on BENCH_PORT and answers GET /health. */
  async startServer(
    name: string,
    script: string,
    env: NodeJS.ProcessEnv,
  ): Promise<{ url: string; child: Child }> {
    const { processes, stack, dataDir, log } = this.parts;
    const port = await freePort();
    const child = processes.start({
      name,
      stage: 2,
      command: process.execPath,
      args: [join(HERE, script)],
      env: { ...stack.env, ...env, BENCH_PORT: String(port) },
      cwd: ROOT,
      logFile: join(dataDir, 'logs', `${name}.log`),
    });
    const url = `http://127.0.0.1:${String(port)}`;
    await waitUntilReady(child, `${url}/health`, log);
    return { url, child };
  }

  /** Runs a script of this folder to its end; gives the JSON object that it printed. */
  async runScript<T>(script: string, argument: string): Promise<T> {
    const { processes, stack } = this.parts;
    const { code, output } = await processes.run(process.execPath, [join(HERE, script), argument], {
      cwd: ROOT,
      env: stack.env,
      onLine: () => undefined,
    });
    return jsonIn(code, output, `${script} failed`) as T;
  }

  /** The pids of MongoDB and Redis where the run has started them itself. */
  get databasePids(): Readonly<Record<string, number>> {
    const { MongoDB, Redis } = this.stack.pids;
    return {
      ...(MongoDB === undefined ? {} : { database: MongoDB }),
      ...(Redis === undefined ? {} : { redis: Redis }),
    };
  }
}

/** The pid of a process that must be there. */
export function pidOf(name: string, pid: number | undefined): number {
  if (pid === undefined) throw new Error(`${name} was not started`);
  return pid;
}

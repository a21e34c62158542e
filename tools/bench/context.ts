import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ROOT } from '#scripts/system/settings.mjs';
import { createCompany, waitUntilReady, type App, type Stack, type ToolContext } from '@commerce/stack';
import { Client, freePort } from '@commerce/testing';
import type { mongo } from 'mongoose';

import type { Measured } from './measure/compare.js';

export interface Benchmark {
  /** The mark of its numbers on the page. */
  readonly name: string;
  /** The processes that it needs, and their own settings. */
  readonly apps: readonly App[];
  readonly env?: NodeJS.ProcessEnv;
  readonly run: (context: BenchContext) => Promise<Measured[]>;
}

/**
 * The length of a run: `rounds` pairs that count, each of `ms` where time limits a round, or of `things` deliveries or
 * subscriptions; the products of a company to search.
 */
export type Scale = Readonly<Record<'rounds' | 'ms' | 'things' | 'searched', number>>;

/** Makes a company; resolves to its service account. */
export async function makeCompany({ processes }: ToolContext, { env, uris }: Stack): Promise<Client> {
  const keys = await createCompany({ processes, env }, 'Benchmarks');
  return new Client(uris.api, { apiKey: keys.api_key, bearer: keys.service_key });
}

/** A run of a benchmark on servers of its own, with a company. */
export class BenchContext {
  readonly db = this.client.db();
  readonly log = this.tool.log;

  constructor(
    private readonly tool: ToolContext,
    readonly stack: Stack,
    readonly client: mongo.MongoClient,
    readonly scale: Scale,
    readonly admin: Client,
  ) {}

  anotherCompany(): Promise<Client> {
    return makeCompany(this.tool, this.stack);
  }

  /** Starts a script of this folder that listens on BENCH_PORT and answers GET /health; resolves to its address. */
  async startServer(name: string, script: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const port = String(await freePort());
    const child = this.tool.processes.start({
      name,
      stage: 2,
      command: process.execPath,
      args: [fileURLToPath(new URL(script, import.meta.url))],
      env: { ...this.stack.env, ...env, BENCH_PORT: port },
      cwd: ROOT,
      logFile: join(String(this.stack.env['DATA_DIR']), 'logs', `${name}.log`),
    });
    const url = `http://127.0.0.1:${port}`;
    await waitUntilReady(child, `${url}/health`, this.log);
    return url;
  }

  /** The pid of a process that the run has started. */
  pidOf(name: string): number {
    const pid = (this.stack.pids as Record<string, number | undefined>)[name];
    if (pid === undefined) throw new Error(`${name} was not started`);
    return pid;
  }

  /** The pids of these processes, and of MongoDB and Redis where the run has started them itself. */
  pidsOf(...names: readonly string[]): Readonly<Record<string, number>> {
    const { MongoDB: database, Redis: redis } = this.stack.pids;
    return {
      ...Object.fromEntries(names.map((name) => [name, this.pidOf(name)])),
      ...(database === undefined ? {} : { database }),
      ...(redis === undefined ? {} : { redis }),
    };
  }
}

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Receiver, eventually, freePort } from '@commerce/testing';

/** `npm start` as an operator uses it: with databases of its own, in a throw-away folder, on free ports. */

const VARIABLES = ['PORT', 'API_MANAGEMENT_PORT', 'WORKER_MANAGEMENT_PORT', 'SANDBOX_PORT'] as const;

interface StackRecord {
  owner: { pid: number };
  uris: { api: string };
  ports: Record<'api' | 'apiManagement' | 'workerManagement' | 'sandbox', number>;
  processes: { name: string; pid: number }[];
}

class Start {
  readonly process: ChildProcess;
  output = '';

  constructor(dataDir: string, ports: Record<string, string>) {
    // The servers of the tests, and the developer's own settings, are not this stack's.
    const own = /^(MONGODB_URI|REDIS_URL|STRIPE_.*|NODE_ENV|npm_.*|.*PORT|LOG_LEVEL|WEBHOOK_.*)$/;
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
    this.process = spawn(process.execPath, ['scripts/run.mjs', 'start'], {
      env: { ...env, ...ports, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
  }

  readonly ended = (): Promise<number | null> =>
    new Promise((resolve) => {
      if (this.process.exitCode !== null || this.process.signalCode !== null) resolve(this.process.exitCode);
      else this.process.once('exit', resolve);
    });

  get alive(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  async says(pattern: RegExp): Promise<void> {
    const said = (): boolean => pattern.test(this.output);
    await until(() => {
      if (!this.alive && !said()) throw new Error(this.output);
      return said();
    }).catch((error: unknown) => {
      throw new Error(`It does not say ${String(pattern)}, but:\n${this.output}`, { cause: error });
    });
  }
}

/** A bare machine reads all packages from its disk first. */
const LONGEST_MS = 100_000;

const until = (condition: () => boolean | Promise<boolean>): Promise<boolean> =>
  eventually(condition, Boolean, LONGEST_MS);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended but whose parent has not looked yet still answers.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function freePorts(): Promise<Record<string, string>> {
  const ports = await Promise.all(VARIABLES.map(() => freePort()));
  return Object.fromEntries(VARIABLES.map((name, index) => [name, String(ports[index])]));
}

describe('npm start', () => {
  let dataDir: string;
  let ports: Record<string, string>;
  const started: Start[] = [];

  const start = (over: Record<string, string> = {}): Start => {
    const run = new Start(dataDir, { ...ports, ...over });
    started.push(run);
    return run;
  };
  /** The stack that runs, or a new one: no test relies on what another has left running. */
  const ready = async (): Promise<Start> => {
    const run = started.find((one) => one.alive) ?? start();
    await run.says(/^Ready: /m);
    return run;
  };
  const record = (): StackRecord =>
    JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8')) as StackRecord;
  const alive = (pids: number[]): number[] => pids.filter(isAlive);

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'commerce-start-'));
    ports = await freePorts();
  });

  afterAll(async () => {
    for (const run of started) run.process.kill('SIGTERM');
    await Promise.all(started.map((run) => run.ended()));
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('names the variable of a port that somebody else has', async () => {
    const other = await Receiver.start();
    const { port } = new URL(other.url);
    const run = start({ SANDBOX_PORT: port });
    expect(await run.ended()).toBe(1);
    expect(run.output).toContain(`SANDBOX_PORT: port ${port} is taken by another program`);
    await other.stop();
  });

  it('says in production that the card provider’s key is missing', async () => {
    const run = start({ NODE_ENV: 'production' });
    expect(await run.ended()).toBe(1);
    expect(run.output).toContain('STRIPE_SECRET_KEY is not set');
  });

  it(
    'prints three curl lines that work as they are pasted',
    async () => {
      const run = await ready();
      expect(run.output.includes('up to 63,000 products and 100,000 subscriptions')).toBe(
        run.output.includes('using secantusd'),
      );
      const lines = [...run.output.matchAll(/^ {2}(curl .*)$/gm)].map((match) => match[1]!);
      expect(lines).toHaveLength(3);
      for (const line of lines) {
        const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -m 20 -w '\\n%{http_code}'`]);
        expect(stdout).toMatch(/\n200$/);
      }
    },
    LONGEST_MS + 60_000,
  );

  it(
    'refuses to run twice on the same data',
    async () => {
      await ready();
      const second = start(await freePorts());
      expect(await second.ended()).toBe(1);
      expect(second.output).toContain('The service runs already');
      expect(second.output).toContain(record().uris.api);
    },
    LONGEST_MS + 20_000,
  );

  it(
    'starts a child again that has died, and says so',
    async () => {
      const run = await ready();
      const worker = record().processes.find((child) => child.name === 'worker')!;
      process.kill(worker.pid, 'SIGKILL');
      await run.says(/worker: ended by itself \(signal SIGKILL;/);
      await run.says(/worker: started again/);
      const url = `http://127.0.0.1:${String(record().ports.workerManagement)}/health/ready`;
      await until(async () => (await fetch(url).catch(() => null))?.status === 200);
    },
    2 * LONGEST_MS,
  );

  it(
    'ends everything on SIGTERM, and nothing stays behind',
    async () => {
      const run = await ready();
      const pids = record().processes.map((child) => child.pid);
      expect(alive(pids)).toHaveLength(5);
      run.process.kill('SIGTERM');
      expect(await run.ended()).toBe(0);
      expect(alive(pids)).toEqual([]);
    },
    LONGEST_MS + 20_000,
  );

  it(
    'is ready again without installing or building anything, with the same demo company',
    async () => {
      const key = (text: string): string | undefined => /X-Service-Api-Key {2}(\S+)/.exec(text)?.[1];
      const before = started.find((one) => /^Ready: /m.test(one.output)) ?? (await ready());
      before.process.kill('SIGTERM');
      await before.ended();
      const run = await ready();
      expect(run.output).toMatch(/Packages: as package-lock.json says/);
      expect(run.output).toMatch(/Build: dist is up to date/);
      expect(key(run.output)).toBe(key(before.output));
    },
    2 * LONGEST_MS + 20_000,
  );

  it(
    'leaves no orphans when it is itself killed with SIGKILL',
    async () => {
      const run = await ready();
      const pids = record().processes.map((child) => child.pid);
      expect(alive(pids)).toHaveLength(5);
      run.process.kill('SIGKILL');
      await until(() => alive(pids).length === 0);
    },
    2 * LONGEST_MS,
  );
});

import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { messageOf } from '#scripts/system/errors.mjs';
import { GRACE_MS } from '#scripts/system/identity.mjs';
import type { Log } from '#scripts/system/report.mjs';

import type { WatchdogMessage } from './watchdog.js';

const RESTART_MS = [500, 1_000, 2_000, 5_000, 10_000];
const LONGEST_RESTART_MS = 30_000;
/** A child that has run this long is considered healthy: its next restart waits the shortest time again. */
const STEADY_MS = 60_000;

export interface ChildSpec {
  /** As the log calls it. */
  readonly name: string;
  /** Higher stages are stopped first, those of one stage together. */
  readonly stage: number;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Its output goes there; the file of the previous run is kept as `<logFile>.1`. */
  readonly logFile: string;
}

interface Owner {
  readonly log: Log;
  /** Called after a supervised child was started again, since its pid has changed. */
  readonly onRestart?: (() => void) | undefined;
  /** Tells the watchdog which processes there are. */
  watch(message: WatchdogMessage): void;
}

/** One process of ours, in a process group of its own so that Ctrl-C in the terminal does not reach it. */
export class Child {
  /** Resolves to `code 1` or `signal SIGKILL` when the current process has ended. */
  ended: Promise<string>;
  private process: ChildProcess;
  private restarts = 0;
  private startedAt = 0;
  private wanted = true;
  private supervised = false;
  /** Why it ended; undefined while it runs. */
  private reason: string | undefined;

  constructor(
    private readonly spec: ChildSpec,
    private readonly owner: Owner,
  ) {
    mkdirSync(dirname(spec.logFile), { recursive: true });
    if (existsSync(spec.logFile)) renameSync(spec.logFile, `${spec.logFile}.1`);
    this.process = this.spawn();
    this.ended = this.follow();
  }

  get name(): string {
    return this.spec.name;
  }

  get stage(): number {
    return this.spec.stage;
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  get logFile(): string {
    return this.spec.logFile;
  }

  get alive(): boolean {
    return this.pid !== undefined && this.process.exitCode === null && this.process.signalCode === null;
  }

  /** From now on the process is started again when it ends by itself. */
  supervise(): void {
    this.supervised = true;
    if (this.reason !== undefined) this.startAgain(this.reason);
  }

  /** Ends it for good: SIGTERM, then SIGKILL to its whole group after 15 s. */
  async stop(): Promise<void> {
    this.wanted = false;
    if (!this.alive) return;
    this.process.kill('SIGTERM');
    const late = setTimeout(() => {
      const grace = String(GRACE_MS / 1000);
      this.owner.log(this.name, `still running after ${grace} s: ending it with SIGKILL`);
      if (this.pid !== undefined) killGroup(this.pid, 'SIGKILL');
    }, GRACE_MS);
    await this.ended;
    clearTimeout(late);
  }

  /** The end of its output, for a message about why it did not start. */
  lastLines(count = 15): string {
    const text = readFileSync(this.logFile, 'utf8').trimEnd();
    return text.split('\n').slice(-count).join('\n');
  }

  private spawn(): ChildProcess {
    const { command, args, env, cwd, logFile } = this.spec;
    const log = openSync(logFile, 'a');
    const child = spawn(command, args, { env, cwd, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    return child;
  }

  /** Resolves to the reason for which the current process ended. */
  private async follow(): Promise<string> {
    const { process: child } = this;
    this.reason = undefined;
    this.startedAt = performance.now();
    if (child.pid !== undefined) this.owner.watch({ add: child.pid, stage: this.stage });
    const reason = await new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) =>
        resolve(signal === null ? `code ${String(code)}` : `signal ${signal}`),
      );
    });
    if (child.pid !== undefined) this.owner.watch({ drop: child.pid });
    this.reason = reason;
    if (this.supervised && this.wanted) this.startAgain(reason);
    return reason;
  }

  private startAgain(reason: string): void {
    this.restart(reason).catch((error: unknown) => {
      this.owner.log(this.name, `did not start again: ${messageOf(error)}`);
    });
  }

  private async restart(reason: string): Promise<void> {
    if (performance.now() - this.startedAt > STEADY_MS) this.restarts = 0;
    const wait = RESTART_MS[this.restarts] ?? LONGEST_RESTART_MS;
    this.restarts += 1;
    const when = `starting it again in ${String(wait / 1000)} s`;
    this.owner.log(this.name, `ended by itself (${reason}; see ${this.logFile}); ${when}`);
    await sleep(wait);
    if (!this.isWanted()) return;
    this.process = this.spawn();
    this.ended = this.follow();
    this.owner.log(this.name, `started again (pid ${String(this.pid)})`);
    this.owner.onRestart?.();
  }

  /** Asked anew after each wait. */
  private isWanted(): boolean {
    return this.wanted;
  }
}

export function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const GRACE_MS = 15_000;
const RESTART_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** A child that lived this long is taken to be well: its next restart waits the shortest time again. */
const STEADY_MS = 60_000;

/**
 * @typedef {object} ChildSpec
 * @property {string} name what the log calls it
 * @property {number} stage higher stages are stopped first, those of one stage together
 * @property {string} command
 * @property {string[]} args
 * @property {NodeJS.ProcessEnv} env
 * @property {string} cwd
 * @property {string} logFile its output goes there; the file of the run before is kept as `<logFile>.1`
 */

/** One process of ours, in a process group of its own so that Ctrl-C in the terminal does not reach it. */
export class Child {
  #spec;
  #process;
  #owner;
  #restarts = 0;
  #startedAt = 0;
  #wanted = true;
  #supervised = false;
  /** Why it ended; unset while it runs. */
  #reason;
  /** Resolves with `code 1` or `signal SIGKILL` when the process that runs now has ended. */
  ended;

  constructor(spec, owner) {
    this.#spec = spec;
    this.#owner = owner;
    mkdirSync(dirname(spec.logFile), { recursive: true });
    if (existsSync(spec.logFile)) renameSync(spec.logFile, `${spec.logFile}.1`);
    this.#spawn();
  }

  get name() {
    return this.#spec.name;
  }

  get stage() {
    return this.#spec.stage;
  }

  get pid() {
    return this.#process.pid;
  }

  get logFile() {
    return this.#spec.logFile;
  }

  get alive() {
    return this.pid !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  #spawn() {
    const { command, args, env, cwd, logFile, stage } = this.#spec;
    const log = openSync(logFile, 'a');
    const child = spawn(command, args, { env, cwd, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#process = child;
    this.#reason = undefined;
    this.#startedAt = Date.now();
    if (child.pid) this.#owner.watch({ add: child.pid, stage });
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `code ${code}`));
    }).then((reason) => {
      if (child.pid) this.#owner.watch({ drop: child.pid });
      this.#reason = reason;
      if (this.#supervised && this.#wanted) void this.#startAgain(reason);
      return reason;
    });
  }

  async #startAgain(reason) {
    if (Date.now() - this.#startedAt > STEADY_MS) this.#restarts = 0;
    const wait = RESTART_MS[Math.min(this.#restarts, RESTART_MS.length - 1)];
    this.#restarts += 1;
    const when = `starting it again in ${wait / 1000} s`;
    this.#owner.log(this.name, `ended by itself (${reason}; see ${this.logFile}); ${when}`);
    await sleep(wait);
    if (!this.#wanted) return;
    this.#spawn();
    this.#owner.log(this.name, `started again (pid ${this.pid})`);
    this.#owner.onRestart?.();
  }

  /** From now on the process is started again when it ends by itself. */
  supervise() {
    this.#supervised = true;
    if (this.#reason) void this.#startAgain(this.#reason);
  }

  /** Ends it for good: SIGTERM, and SIGKILL to its whole group after 15 s. */
  async stop() {
    this.#wanted = false;
    if (!this.alive) return;
    this.#process.kill('SIGTERM');
    const late = setTimeout(() => {
      this.#owner.log(this.name, `still running after ${GRACE_MS / 1000} s: ending it with SIGKILL`);
      killGroup(this.pid, 'SIGKILL');
    }, GRACE_MS);
    await this.ended;
    clearTimeout(late);
  }

  /** The end of what it printed, for a message about why it did not start. */
  lastLines(count = 15) {
    const text = readFileSync(this.logFile, 'utf8').trimEnd();
    return text.split('\n').slice(-count).join('\n');
  }
}

export function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

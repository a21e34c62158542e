import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GRACE_MS } from './identity.mjs';

/** @import { Processes } from './processes.mjs' */

const RESTART_MS = [500, 1_000, 2_000, 5_000, 10_000];
const LONGEST_RESTART_MS = 30_000;
/** A child that has run this long is considered healthy: its next restart waits the shortest time again. */
const STEADY_MS = 60_000;

/**
 * @typedef {object} ChildSpec
 * @property {string} name what the log calls it
 * @property {number} stage higher stages are stopped first, those of one stage together
 * @property {string} command
 * @property {string[]} args
 * @property {NodeJS.ProcessEnv} env
 * @property {string} cwd
 * @property {string} logFile its output goes there; the file of the previous run is kept as `<logFile>.1`
 */

/** One process of ours, in a process group of its own so that Ctrl-C in the terminal does not reach it. */
export class Child {
  #spec;
  #owner;
  #process;
  #restarts = 0;
  #startedAt = 0;
  #wanted = true;
  #supervised = false;
  /**
   * Why it ended; undefined while it runs.
   *
   * @type {string | undefined}
   */
  #reason;
  /**
   * Resolves to `code 1` or `signal SIGKILL` when the current process has ended.
   *
   * @type {Promise<string>}
   */
  ended;

  /**
   * @param {ChildSpec} spec
   * @param {Processes} owner
   */
  constructor(spec, owner) {
    this.#spec = spec;
    this.#owner = owner;
    mkdirSync(dirname(spec.logFile), { recursive: true });
    if (existsSync(spec.logFile)) renameSync(spec.logFile, `${spec.logFile}.1`);
    this.#process = this.#spawn();
    this.ended = this.#follow();
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
    const { command, args, env, cwd, logFile } = this.#spec;
    const log = openSync(logFile, 'a');
    const child = spawn(command, args, { env, cwd, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    return child;
  }

  /** @returns {Promise<string>} why the current process ended */
  async #follow() {
    const child = this.#process;
    this.#reason = undefined;
    this.#startedAt = performance.now();
    if (child.pid) this.#owner.watch({ add: child.pid, stage: this.stage });
    /** @type {string} */
    const reason = await new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `code ${code}`));
    });
    if (child.pid) this.#owner.watch({ drop: child.pid });
    this.#reason = reason;
    if (this.#supervised && this.#wanted) void this.#startAgain(reason);
    return reason;
  }

  /** @param {string} reason */
  async #startAgain(reason) {
    if (performance.now() - this.#startedAt > STEADY_MS) this.#restarts = 0;
    const wait = RESTART_MS[this.#restarts] ?? LONGEST_RESTART_MS;
    this.#restarts += 1;
    const when = `starting it again in ${wait / 1000} s`;
    this.#owner.log(this.name, `ended by itself (${reason}; see ${this.logFile}); ${when}`);
    await sleep(wait);
    if (!this.#wanted) return;
    this.#process = this.#spawn();
    this.ended = this.#follow();
    this.#owner.log(this.name, `started again (pid ${this.pid})`);
    this.#owner.onRestart?.();
  }

  /** From now on the process is started again when it ends by itself. */
  supervise() {
    this.#supervised = true;
    if (this.#reason) void this.#startAgain(this.#reason);
  }

  /** Ends it for good: SIGTERM, then SIGKILL to its whole group after 15 s. */
  async stop() {
    this.#wanted = false;
    if (!this.alive) return;
    this.#process.kill('SIGTERM');
    const late = setTimeout(() => {
      this.#owner.log(this.name, `still running after ${GRACE_MS / 1000} s: ending it with SIGKILL`);
      if (this.pid) killGroup(this.pid, 'SIGKILL');
    }, GRACE_MS);
    await this.ended;
    clearTimeout(late);
  }

  /** The end of its output, for a message about why it did not start. */
  lastLines(count = 15) {
    const text = readFileSync(this.logFile, 'utf8').trimEnd();
    return text.split('\n').slice(-count).join('\n');
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

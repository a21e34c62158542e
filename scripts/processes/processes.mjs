import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { StartError } from '../system/errors.mjs';
import { Child, killGroup } from './child.mjs';
import { GRACE_MS, stagesOf } from './identity.mjs';

/**
 * @import { ChildProcess, SpawnOptions, StdioOptions } from 'node:child_process'
 * @import { Log } from '../system/report.mjs'
 * @import { ChildSpec } from './child.mjs'
 * @import { WatchdogMessage } from './watchdog.mjs'
 */

/** Commands are ended before the children that they may be using. */
const COMMAND_STAGE = 9;

/** Everything that one script started: nothing else is ever sent a signal. */
export class Processes {
  /** @type {Child[]} */
  #children = [];
  /** @type {Set<ChildProcess>} */
  #commands = new Set();
  /** @type {ReturnType<typeof startWatchdog> | undefined} */
  #watchdog;
  /** @type {Promise<void> | undefined} */
  #stopped;
  /**
   * Called after a supervised child was started again, since its pid has changed.
   *
   * @type {(() => void) | undefined}
   */
  onRestart;

  /** @param {{log: Log}} options */
  constructor({ log }) {
    this.log = log;
  }

  get children() {
    return [...this.#children];
  }

  /**
   * Sends a message to the watchdog, which is started with the first one.
   *
   * @param {WatchdogMessage} message
   */
  watch(message) {
    this.#watchdog ??= startWatchdog();
    if (this.#watchdog.stdin.writable) this.#watchdog.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** @param {ChildSpec} spec */
  start(spec) {
    this.#refuseWhenStopping();
    const child = new Child(spec, this);
    this.#children.push(child);
    return child;
  }

  /**
   * Runs a command to its end; stop() ends it too, along with everything it started itself.
   *
   * @param {string} command
   * @param {string[]} args
   * @param {SpawnOptions & {onLine?: (line: string) => void}} [options]
   *   `onLine` is called for each line of output; without it the command prints to the terminal
   * @returns {Promise<{code: number, output: string}>} code 127 when it could not be started
   */
  async run(command, args, { onLine, ...options } = {}) {
    this.#refuseWhenStopping();
    const out = onLine ? 'pipe' : 'inherit';
    /** @type {StdioOptions} */
    const stdio = ['ignore', out, out];
    const child = spawn(command, args, { stdio, detached: true, ...options });
    if (child.pid) this.watch({ add: child.pid, stage: COMMAND_STAGE });
    this.#commands.add(child);
    /** @type {string[]} */
    const output = [];
    for (const stream of [child.stdout, child.stderr]) {
      let rest = '';
      stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        output.push(text);
        const lines = (rest + text).split(/\r?\n/);
        rest = lines.pop() ?? '';
        lines.forEach((line) => onLine?.(line));
      });
    }
    try {
      return await new Promise((resolve) => {
        child.once('error', (error) => resolve({ code: 127, output: error.message }));
        child.once('close', (code, signal) =>
          resolve({ code: code ?? (signal ? 1 : 0), output: output.join('') }),
        );
      });
    } finally {
      if (child.pid) this.watch({ drop: child.pid });
      this.#commands.delete(child);
    }
  }

  /** Whatever is started now would be missed by the stop that is under way. */
  #refuseWhenStopping() {
    if (this.#stopped) throw new StartError('Stopping: nothing more is started.');
  }

  /**
   * Ends some children and leaves the rest running.
   *
   * @param {readonly Child[]} children
   */
  async end(children) {
    for (const stage of stagesOf(children))
      await Promise.all(children.filter((child) => child.stage === stage).map((child) => child.stop()));
  }

  /** Ends everything, the highest stage first. A second call waits for the first one. */
  stop() {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop() {
    await Promise.all([...this.#commands].map(endCommand));
    await this.end(this.#children);
    const watchdog = this.#watchdog;
    if (!watchdog) return;
    watchdog.ref();
    const gone = new Promise((resolve) => watchdog.once('exit', resolve));
    this.watch({ done: true });
    watchdog.stdin.end();
    if (watchdog.exitCode === null && watchdog.signalCode === null) await gone;
  }
}

/**
 * For a command that would otherwise run to its end (npm, cargo, jest): its whole group goes.
 *
 * @param {ChildProcess} child
 */
async function endCommand(child) {
  const { pid } = child;
  if (!pid) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  killGroup(pid, 'SIGTERM');
  const late = setTimeout(() => killGroup(pid, 'SIGKILL'), GRACE_MS);
  await closed;
  clearTimeout(late);
}

function startWatchdog() {
  const path = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));
  const watchdog = spawn(process.execPath, [path], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // The stack runs just as well without it; only a `kill -9` of the script would leave children behind.
  watchdog.once('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  // A pipe is a socket, which can be kept from holding the event loop; its type does not say so.
  /** @type {import('node:net').Socket} */ (watchdog.stdin).unref();
  watchdog.unref();
  return watchdog;
}

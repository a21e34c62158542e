import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Child, GRACE_MS, killGroup } from './child.mjs';
import { StartError } from './report.mjs';

/** A command that runs to its end otherwise (npm, cargo, jest): its whole group goes. */
async function endCommand(child) {
  if (!child.pid) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  killGroup(child.pid, 'SIGTERM');
  const late = setTimeout(() => killGroup(child.pid, 'SIGKILL'), GRACE_MS);
  await closed;
  clearTimeout(late);
}

/** All that one script started: nothing else is ever signalled. */
export class Processes {
  #children = [];
  #running = new Set();
  #watchdog;
  #stopped;
  /** Called after a supervised child was started again (its pid has changed). */
  onRestart;

  /** @param {{log: import('./report.mjs').Log}} options */
  constructor({ log }) {
    this.log = log;
  }

  get children() {
    return [...this.#children];
  }

  /** Sends one line to the watchdog, which is started with the first. */
  watch(message) {
    this.#watchdog ??= startWatchdog();
    if (this.#watchdog.stdin.writable) this.#watchdog.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** @param {import('./child.mjs').ChildSpec} spec */
  start(spec) {
    this.#refuseWhenStopping();
    const child = new Child(spec, this);
    this.#children.push(child);
    return child;
  }

  /**
   * Runs a command to its end; stop() ends it too, with all that it started itself.
   *
   * @param {string} command
   * @param {string[]} args
   * @param {import('node:child_process').SpawnOptions & {onLine?: (line: string) => void}} [options]
   *   `onLine` is called for each line of output; without it the command prints to the terminal
   * @returns {Promise<{code: number, output: string}>} code 127 when it could not be started
   */
  run(command, args, { onLine, ...options } = {}) {
    this.#refuseWhenStopping();
    const stdio = ['ignore', onLine ? 'pipe' : 'inherit', onLine ? 'pipe' : 'inherit'];
    const child = spawn(command, args, { stdio, detached: true, ...options });
    if (child.pid) this.watch({ add: child.pid, stage: 9 });
    this.#running.add(child);
    const output = [];
    for (const stream of [child.stdout, child.stderr]) {
      let rest = '';
      stream?.setEncoding('utf8').on('data', (text) => {
        output.push(text);
        const lines = (rest + text).split(/\r?\n/);
        rest = lines.pop();
        lines.forEach((line) => onLine?.(line));
      });
    }
    return new Promise((resolve) => {
      child.once('error', (error) => resolve({ code: 127, output: error.message }));
      child.once('close', (code, signal) =>
        resolve({ code: code ?? (signal ? 1 : 0), output: output.join('') }),
      );
    }).finally(() => {
      if (child.pid) this.watch({ drop: child.pid });
      this.#running.delete(child);
    });
  }

  /** What is started now would be missed by the stop that is under way. */
  #refuseWhenStopping() {
    if (this.#stopped) throw new StartError('Stopping: nothing more is started.');
  }

  /** Ends everything, the highest stage first. Calling it again waits for the first call. */
  stop() {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop() {
    await Promise.all([...this.#running].map(endCommand));
    const stages = [...new Set(this.#children.map((child) => child.stage))].sort((a, b) => b - a);
    for (const stage of stages) {
      await Promise.all(this.#children.filter((child) => child.stage === stage).map((child) => child.stop()));
    }
    if (!this.#watchdog) return;
    this.#watchdog.ref();
    const gone = new Promise((resolve) => this.#watchdog.once('exit', resolve));
    this.watch({ done: true });
    this.#watchdog.stdin.end();
    if (this.#watchdog.exitCode === null && this.#watchdog.signalCode === null) await gone;
  }
}

function startWatchdog() {
  const path = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));
  const watchdog = spawn(process.execPath, [path], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Without it the stack runs just the same; only a `kill -9` of the script would leave children behind.
  watchdog.once('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  watchdog.stdin.unref();
  watchdog.unref();
  return watchdog;
}

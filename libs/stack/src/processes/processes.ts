import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

import { StartError } from '#scripts/system/errors.mjs';
import { GRACE_MS, stagesOf } from '#scripts/system/identity.mjs';
import type { Log } from '#scripts/system/report.mjs';

import { Child, killGroup, type ChildSpec } from './child.js';
import type { WatchdogMessage } from './watchdog.js';

/** Commands are ended before the children that they may be using. */
const COMMAND_STAGE = 9;

interface CommandOptions extends SpawnOptions {
  /** Is called for each line of output; without it the command prints to the terminal. */
  readonly onLine?: (line: string) => void;
}

/** Everything that one script started: nothing else is ever sent a signal. */
export class Processes {
  readonly log: Log;
  onRestart?: (() => void) | undefined;
  private readonly started: Child[] = [];
  private readonly commands = new Set<ChildProcess>();
  private watchdog: ReturnType<typeof startWatchdog> | undefined;
  private stopped: Promise<void> | undefined;

  constructor({ log }: { readonly log: Log }) {
    this.log = log;
  }

  get children(): readonly Child[] {
    return [...this.started];
  }

  /** Sends a message to the watchdog, which is started with the first one. */
  watch(message: WatchdogMessage): void {
    this.watchdog ??= startWatchdog();
    if (this.watchdog.stdin.writable) this.watchdog.stdin.write(`${JSON.stringify(message)}\n`);
  }

  start(spec: ChildSpec): Child {
    this.refuseWhenStopping();
    const child = new Child(spec, this);
    this.started.push(child);
    return child;
  }

  /**
   * Runs a command to its end; stop() ends it too, along with everything it started itself. Resolves to code 127 when
   * it could not be started.
   */
  async run(
    command: string,
    args: readonly string[],
    { onLine, ...options }: CommandOptions = {},
  ): Promise<{ code: number; output: string }> {
    this.refuseWhenStopping();
    const out = onLine ? 'pipe' : 'inherit';
    const child = spawn(command, args, { stdio: ['ignore', out, out], detached: true, ...options });
    if (child.pid !== undefined) this.watch({ add: child.pid, stage: COMMAND_STAGE });
    this.commands.add(child);
    const output = onLine ? linesOf(child, onLine) : [];
    try {
      return await new Promise((resolve) => {
        child.once('error', (error) => resolve({ code: 127, output: error.message }));
        child.once('close', (code, signal) =>
          resolve({ code: code ?? (signal === null ? 0 : 1), output: output.join('') }),
        );
      });
    } finally {
      if (child.pid !== undefined) this.watch({ drop: child.pid });
      this.commands.delete(child);
    }
  }

  /** Ends some children and leaves the rest running. */
  async end(children: readonly Child[]): Promise<void> {
    for (const stage of stagesOf(children))
      await Promise.all(children.filter((child) => child.stage === stage).map((child) => child.stop()));
  }

  /** Ends everything, the highest stage first. A second call waits for the first one. */
  stop(): Promise<void> {
    this.stopped ??= this.stopAll();
    return this.stopped;
  }

  /** A stop would miss what is started after it began. */
  private refuseWhenStopping(): void {
    if (this.stopped) throw new StartError('Stopping: nothing more is started.');
  }

  private async stopAll(): Promise<void> {
    await Promise.all([...this.commands].map(endCommand));
    await this.end(this.started);
    const { watchdog } = this;
    if (!watchdog) return;
    watchdog.ref();
    const gone = once(watchdog, 'exit');
    this.watch({ done: true });
    watchdog.stdin.end();
    if (watchdog.exitCode === null && watchdog.signalCode === null) await gone;
  }
}

/** Hands on each line of what a command prints, and keeps the whole. */
function linesOf(child: ChildProcess, onLine: (line: string) => void): string[] {
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output.push(text);
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? '';
      lines.forEach((line) => onLine(line));
    });
  }
  return output;
}

/** For a command that would otherwise run to its end (cargo, jest): its whole group goes. */
async function endCommand(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const closed = once(child, 'close');
  killGroup(pid, 'SIGTERM');
  const late = setTimeout(() => killGroup(pid, 'SIGKILL'), GRACE_MS);
  await closed;
  clearTimeout(late);
}

function startWatchdog() {
  const path = fileURLToPath(new URL('./watchdog.js', import.meta.url));
  const watchdog = spawn(process.execPath, [path], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // The stack runs just as well without it; only a `kill -9` of the script would leave children behind.
  watchdog.once('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  // A pipe is a socket, which can be kept from holding the event loop; its type does not say so.
  (watchdog.stdin as Socket).unref();
  watchdog.unref();
  return watchdog;
}

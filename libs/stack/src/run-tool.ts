import type { Log } from '#scripts/system/report.mjs';

import { Processes } from './processes/processes.js';
import { stopOnSignals, type Signals } from './processes/signals.js';

export interface ToolContext {
  /** Of the command line. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Starts the children; all are ended after the tool. */
  readonly processes: Processes;
  readonly log: Log;
  readonly signals: Signals;
}

/** Runs the `main` of a tool, and ends what it has started. Resolves to the exit code. */
export async function runTool(
  main: (context: ToolContext) => Promise<number>,
  { args, log }: Pick<ToolContext, 'args' | 'log'>,
): Promise<number> {
  const processes = new Processes({ log });
  const signals = stopOnSignals(processes, log);
  try {
    return await main({ args, env: process.env, processes, log, signals });
  } catch (error) {
    // A signal makes the step that runs fail: that is no error worth reporting.
    if (signals.received() === undefined) throw error;
    return 130;
  } finally {
    await processes.stop();
    if (signals.received() !== undefined) log('Stop', 'everything that was started has ended');
  }
}

import type { Log } from '#scripts/system/report.mjs';

import type { Processes } from '../processes/processes.js';

export interface DatabaseContext {
  readonly processes: Processes;
  readonly log: Log;
  readonly dataDir: string;
  /** Data that nobody will miss: no syncing, small files. */
  readonly ephemeral: boolean;
}

export interface ServerContext extends DatabaseContext {
  /** Known to be free. */
  readonly port: number;
}

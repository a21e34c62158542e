import { join } from 'node:path';

import type { Log } from '#scripts/system/report.mjs';
import { ROOT } from '#scripts/system/settings.mjs';

import type { Child } from '../processes/child.js';
import type { Processes } from '../processes/processes.js';
import { mainOf } from '../settings.js';
import { waitUntilReady } from './readiness.js';

export type App = 'sandbox' | 'api' | 'worker';

/** MiB; the API and the worker hold about 90 (`npm run soak`). */
const HEAP = '--max-old-space-size=256';

/**
 * Where memory is plentiful V8 lets much more garbage gather than that before it looks for it; the limits have it look
 * sooner. A small space for new objects, 8 MiB for each half, costs the worker no time, and the API some: it gets 16,
 * the half of the default of newer versions of Node.
 */
export const HEAP_LIMITS: Readonly<Record<App, readonly string[]>> = {
  sandbox: [HEAP],
  api: [HEAP, '--max-semi-space-size=16'],
  worker: [HEAP, '--max-semi-space-size=8'],
};

interface AppSpec {
  /** The address that answers 200 when the app is ready. */
  readonly ready: (env: NodeJS.ProcessEnv) => string;
  /** The variables that only this app gets. */
  readonly env?: (env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv;
  readonly stage: number;
}

const HOST = '127.0.0.1';

const SPECS: Readonly<Record<App, AppSpec>> = {
  sandbox: {
    ready: ({ SANDBOX_PORT: port = '' }) => `http://${HOST}:${port}/health`,
    env: ({ SANDBOX_HOST, PORT = '' }) => ({
      SANDBOX_HOST: SANDBOX_HOST || HOST,
      SANDBOX_NOTICE_URL: `http://${HOST}:${PORT}/provider_notices/stripe`,
    }),
    stage: 1,
  },
  api: { ready: ({ API_MANAGEMENT_PORT: port = '' }) => `http://${HOST}:${port}/health/ready`, stage: 2 },
  worker: {
    ready: ({ WORKER_MANAGEMENT_PORT: port = '' }) => `http://${HOST}:${port}/health/ready`,
    stage: 2,
  },
};

interface AppContext {
  readonly processes: Processes;
  readonly log: Log;
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Starts an app and waits until it is ready. */
export async function startApp(app: App, { processes, dataDir, env, log }: AppContext): Promise<Child> {
  const { ready, stage, env: own } = SPECS[app];
  const child = processes.start({
    name: app,
    stage,
    command: process.execPath,
    args: [...HEAP_LIMITS[app], mainOf(app)],
    env: { ...env, ...own?.(env) },
    cwd: ROOT,
    logFile: join(dataDir, 'logs', `${app}.log`),
  });
  await waitUntilReady(child, ready(env), log);
  return child;
}

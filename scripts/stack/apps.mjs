import { join } from 'node:path';
import { mainOf, ROOT } from '../system/settings.mjs';
import { waitUntilReady } from './readiness.mjs';

/**
 * @import { Child } from '../processes/child.mjs'
 * @import { Processes } from '../processes/processes.mjs'
 * @import { Log } from '../system/report.mjs'
 *
 * @typedef {'sandbox' | 'api' | 'worker'} App
 *
 * @typedef {object} AppSpec
 * @property {(env: NodeJS.ProcessEnv) => string} ready answers 200 when the app is ready
 * @property {(env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv} env the variables that only this app gets
 * @property {number} stage
 */

/** MiB; the API and the worker hold about 90 (`npm run soak`). */
const HEAP = '--max-old-space-size=256';

/**
 * Where memory is plentiful V8 lets much more garbage gather than that before it looks for it; the limits have it look
 * sooner. A small space for what is new, 8 MiB for each half, costs the worker no time, and the API some: it gets 16,
 * the half of what newer versions of Node take.
 * @type {Record<App, string[]>}
 */
export const HEAP_LIMITS = {
  sandbox: [HEAP],
  api: [HEAP, '--max-semi-space-size=16'],
  worker: [HEAP, '--max-semi-space-size=8'],
};

/** @type {Record<App, AppSpec>} */
const APPS = {
  sandbox: {
    ready: (env) => `http://127.0.0.1:${env.SANDBOX_PORT}/health`,
    env: (env) => ({
      SANDBOX_HOST: env.SANDBOX_HOST || '127.0.0.1',
      SANDBOX_NOTICE_URL: `http://127.0.0.1:${env.PORT}/provider_notices/stripe`,
    }),
    stage: 1,
  },
  api: {
    ready: (env) => `http://127.0.0.1:${env.API_MANAGEMENT_PORT}/health/ready`,
    env: () => ({}),
    stage: 2,
  },
  worker: {
    ready: (env) => `http://127.0.0.1:${env.WORKER_MANAGEMENT_PORT}/health/ready`,
    env: () => ({}),
    stage: 2,
  },
};

/**
 * @param {App} app
 * @param {{processes: Processes, log: Log, dataDir: string, env: NodeJS.ProcessEnv}} context
 * @returns {Promise<Child>} when it is ready
 */
export async function startApp(app, { processes, dataDir, env, log }) {
  const { ready, stage, env: own } = APPS[app];
  const child = processes.start({
    name: app,
    stage,
    command: process.execPath,
    args: [...HEAP_LIMITS[app], mainOf(app)],
    env: { ...env, ...own(env) },
    cwd: ROOT,
    logFile: join(dataDir, 'logs', `${app}.log`),
  });
  await waitUntilReady(child, ready(env), log);
  return child;
}

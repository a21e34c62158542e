import { join } from 'node:path';
import { waitUntilReady } from './readiness.mjs';
import { ROOT } from './settings.mjs';

/** How each app is started, when it is ready, and the variables that only it gets. */
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
 * @param {import('./stack.mjs').App} app
 * @param {{processes: import('./processes.mjs').Processes, log: import('./report.mjs').Log, dataDir: string,
 *   env: NodeJS.ProcessEnv}} context
 * @returns {Promise<import('./child.mjs').Child>} when it is ready
 */
export async function startApp(app, { processes, dataDir, env, log }) {
  const { ready, stage, env: own } = APPS[app];
  const child = processes.start({
    name: app,
    stage,
    command: process.execPath,
    args: [join(ROOT, `dist/apps/${app}/src/main.js`)],
    env: { ...env, ...own(env) },
    cwd: ROOT,
    logFile: join(dataDir, 'logs', `${app}.log`),
  });
  await waitUntilReady(child, ready(env), log);
  return child;
}

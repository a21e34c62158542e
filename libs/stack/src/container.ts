/**
 * The image's entry point: `api`, `worker`, `sandbox` or `cli <command>`, run in this very process so that it receives
 * the container's signals. Outside production a missing STRIPE_SECRET_KEY means the sandbox at SANDBOX_URL.
 */
import { pathToFileURL } from 'node:url';

import { StartError } from '#scripts/system/errors.mjs';
import { APPS } from '#scripts/system/settings.mjs';

import { dropEmptyVariables, mainOf, providerSettings, readDataDir } from './settings.js';

const { argv, env } = process;
const [node = process.execPath, , name = '', ...args] = argv;
try {
  const app = APPS.find((known) => known === name);
  if (!app) throw new StartError(`Say which app to run: ${APPS.join(', ')}.`);
  dropEmptyVariables();
  // The sandbox, in a container of its own, signs its notices with this secret.
  const hasKey = env['STRIPE_SECRET_KEY'] !== undefined || env['STRIPE_TEST_SECRET_KEY'] !== undefined;
  const { SANDBOX_WEBHOOK_SECRET: shared, SANDBOX_URL: sandbox, SANDBOX_LIBRARY_URL: library } = env;
  if (!hasKey && sandbox && shared) env['STRIPE_WEBHOOK_SECRET'] ??= shared;
  const provider = providerSettings(env, { dataDir: readDataDir(env) });
  Object.assign(env, provider.env);
  if (provider.sandbox && sandbox) {
    env['STRIPE_API_BASE'] = sandbox;
    if (library) env['STRIPE_LIBRARY_URL'] ??= library;
  }
  const main = mainOf(app);
  process.argv = [node, main, ...args];
  await import(pathToFileURL(main).href);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

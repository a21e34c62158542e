/**
 * The image's entry point: `api`, `worker`, `sandbox` or `cli <command>`, run in this very process so that it receives
 * the container's signals. Outside production a missing STRIPE_SECRET_KEY means the sandbox at SANDBOX_URL.
 */
import './system/node-version.mjs';
import { pathToFileURL } from 'node:url';
import { StartError } from './system/errors.mjs';
import { APPS, dropEmptyVariables, mainOf, providerSettings, readDataDir } from './system/settings.mjs';

const [node = process.execPath, , name = '', ...args] = process.argv;
const app = APPS.find((known) => known === name);
if (!app) fail(`Say which app to run: ${APPS.join(', ')}.`);

try {
  dropEmptyVariables();
  // The sandbox, in a container of its own, signs what it reports with this secret.
  const {
    STRIPE_SECRET_KEY: key,
    STRIPE_TEST_SECRET_KEY: testKey,
    SANDBOX_WEBHOOK_SECRET: shared,
  } = process.env;
  if (!key && !testKey && process.env.SANDBOX_URL && shared) {
    process.env.STRIPE_WEBHOOK_SECRET ??= shared;
  }
  const provider = providerSettings(process.env, { dataDir: readDataDir(process.env) });
  Object.assign(process.env, provider.env);
  if (provider.sandbox && process.env.SANDBOX_URL) {
    process.env.STRIPE_API_BASE = process.env.SANDBOX_URL;
    process.env.STRIPE_LIBRARY_URL ??= process.env.SANDBOX_LIBRARY_URL;
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  fail(error.message);
}

const main = mainOf(app);
process.argv = [node, main, ...args];
await import(pathToFileURL(main).href);

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

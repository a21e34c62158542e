import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf, StartError } from './errors.mjs';

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** The apps that are processes of their own. */
export const APPS = /** @type {const} */ (['api', 'worker', 'sandbox', 'cli']);

/** Where the build puts each app and most of its packages. */
export const BUNDLES = join(ROOT, 'dist/bundles');

/**
 * @param {typeof APPS[number]} app
 * @returns {string} the file to run
 */
export function mainOf(app) {
  return join(BUNDLES, `${app}.js`);
}

/**
 * The variable that names each port of the stack, and its default.
 *
 * @satisfies {Record<string, readonly [variable: string, fallback: number]>}
 */
export const PORT_VARIABLES = /** @type {const} */ ({
  api: ['PORT', 3000],
  apiManagement: ['API_MANAGEMENT_PORT', 3001],
  workerManagement: ['WORKER_MANAGEMENT_PORT', 3002],
  sandbox: ['SANDBOX_PORT', 3003],
});

/** @typedef {Record<keyof typeof PORT_VARIABLES, number>} Ports */

const PORT_NAMES = /** @type {(keyof Ports)[]} */ (Object.keys(PORT_VARIABLES));

/**
 * @param {(name: keyof Ports, index: number) => number} portOf
 * @returns {Ports}
 */
export function portsFrom(portOf) {
  return /** @type {Ports} */ (
    Object.fromEntries(PORT_NAMES.map((name, index) => [name, portOf(name, index)]))
  );
}

/** @param {Ports} ports */
export function byVariable(ports) {
  return Object.fromEntries(PORT_NAMES.map((name) => [PORT_VARIABLES[name][0], ports[name]]));
}

/** Reads `.env` in the checkout, if there is one; variables that are already set win. */
export function loadDotEnv() {
  dropEmptyVariables();
  const path = join(ROOT, '.env');
  if (existsSync(path)) process.loadEnvFile(path);
}

/** `PORT= npm start` means the default, as do the empty variables that Compose passes on for unset ones. */
export function dropEmptyVariables() {
  for (const [name, value] of Object.entries(process.env)) if (value === '') delete process.env[name];
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Ports}
 */
export function readPorts(env) {
  return portsFrom((name) => {
    const [variable, fallback] = PORT_VARIABLES[name];
    const text = env[variable] || String(fallback);
    const port = Number(text);
    if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
      throw new StartError(`${variable} is "${text}": it must be a port number from 1 to 65535.`);
    return port;
  });
}

/** @param {NodeJS.ProcessEnv} env */
export function readDataDir(env) {
  return resolve(ROOT, env.DATA_DIR || '.data');
}

/** Where servers that were built or downloaded are kept, for all checkouts of this user. */
export function cacheDir() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'commerce-service');
}

/**
 * The card provider's variables: those given, or those of the sandbox that runs beside the service.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {{dataDir: string, sandboxPort?: number}} options
 * @returns {{sandbox: boolean, env: NodeJS.ProcessEnv}} `sandbox`: whether it has to be started
 */
export function providerSettings(env, { dataDir, sandboxPort }) {
  if (env.STRIPE_SECRET_KEY || env.STRIPE_TEST_SECRET_KEY) return { sandbox: false, env: {} };
  if (env.NODE_ENV === 'production') {
    throw new StartError(
      'STRIPE_SECRET_KEY is not set. With NODE_ENV=production the service needs the key of a Stripe account\n' +
        '(and the STRIPE_WEBHOOK_SECRET of its webhook endpoint); the sandbox provider is for development only.',
    );
  }
  if (env.STRIPE_API_BASE) {
    throw new StartError(
      'STRIPE_API_BASE is set but STRIPE_SECRET_KEY is not. Set both, or neither to use the sandbox.',
    );
  }
  const kept = rememberedSecrets(dataDir);
  return {
    sandbox: true,
    env: {
      STRIPE_SECRET_KEY: kept.stripe_secret_key,
      STRIPE_API_BASE: `http://127.0.0.1:${sandboxPort ?? PORT_VARIABLES.sandbox[1]}`,
      STRIPE_WEBHOOK_SECRET: env.STRIPE_WEBHOOK_SECRET || kept.stripe_webhook_secret,
    },
  };
}

/**
 * Made once, so that what was charged in the sandbox stays reachable with the same key after a restart.
 *
 * @param {string} dataDir
 * @returns {{stripe_secret_key: string, stripe_webhook_secret: string}}
 */
function rememberedSecrets(dataDir) {
  const path = join(dataDir, 'sandbox-secrets.json');
  if (!existsSync(path)) {
    const secrets = {
      stripe_secret_key: `sk_test_${randomBytes(24).toString('hex')}`,
      stripe_webhook_secret: `whsec_${randomBytes(32).toString('base64')}`,
    };
    const mine = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(mine, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    // Containers that start together share the folder: the first link wins, and nobody reads half a file.
    try {
      linkSync(mine, path);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    } finally {
      rmSync(mine);
    }
  }
  return JSON.parse(readFileSync(path, 'utf8'));
}

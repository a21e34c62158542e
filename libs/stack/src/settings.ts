import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import { codeOf, StartError } from '#scripts/system/errors.mjs';
import { type APPS, BUNDLES, ROOT } from '#scripts/system/settings.mjs';

/** The file to run for an app. */
export function mainOf(app: (typeof APPS)[number]): string {
  return join(BUNDLES, `${app}.js`);
}

/** The variable that names each port of the stack, and its default. */
const PORT_VARIABLES = {
  api: ['PORT', 3000],
  apiManagement: ['API_MANAGEMENT_PORT', 3001],
  workerManagement: ['WORKER_MANAGEMENT_PORT', 3002],
  sandbox: ['SANDBOX_PORT', 3003],
} as const;

export type Ports = Record<keyof typeof PORT_VARIABLES, number>;

export const PORT_NAMES = Object.keys(PORT_VARIABLES) as (keyof Ports)[];

export function portsFrom(portOf: (name: keyof Ports, index: number) => number): Ports {
  return Object.fromEntries(PORT_NAMES.map((name, index) => [name, portOf(name, index)])) as Ports;
}

export function byVariable(ports: Ports): Record<string, number> {
  return Object.fromEntries(PORT_NAMES.map((name) => [PORT_VARIABLES[name][0], ports[name]]));
}

/** Reads `.env` in the checkout, if there is one; variables that are already set win. */
export function loadDotEnv(): void {
  dropEmptyVariables();
  const path = join(ROOT, '.env');
  if (existsSync(path)) process.loadEnvFile(path);
}

/** `PORT= npm start` means the default, as do the empty variables that Compose passes on for unset ones. */
export function dropEmptyVariables(): void {
  for (const [name, value] of Object.entries(process.env))
    if (value === '') Reflect.deleteProperty(process.env, name);
}

export function readPorts(env: NodeJS.ProcessEnv): Ports {
  return portsFrom((name) => {
    const [variable, fallback] = PORT_VARIABLES[name];
    const text = env[variable] || String(fallback);
    const port = Number(text);
    if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
      throw new StartError(`${variable} is "${text}": it must be a port number from 1 to 65535.`);
    return port;
  });
}

export function readDataDir(env: NodeJS.ProcessEnv): string {
  return resolve(ROOT, env['DATA_DIR'] || '.data');
}

/** The folder of the servers that were built or downloaded, for all checkouts of this user. */
export function cacheDir(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'commerce-service');
}

/**
 * The card provider's variables: those given, or those of the sandbox that runs beside the service. `sandbox` says
 * whether it has to be started.
 */
export function providerSettings(
  env: NodeJS.ProcessEnv,
  { dataDir, sandboxPort = PORT_VARIABLES.sandbox[1] }: { dataDir: string; sandboxPort?: number },
): { sandbox: boolean; env: NodeJS.ProcessEnv } {
  if (env['STRIPE_SECRET_KEY'] || env['STRIPE_TEST_SECRET_KEY']) return { sandbox: false, env: {} };
  if (env['NODE_ENV'] === 'production') {
    throw new StartError(
      'STRIPE_SECRET_KEY is not set. With NODE_ENV=production the service needs the key of a Stripe account\n' +
        '(and the STRIPE_WEBHOOK_SECRET of its webhook endpoint); the sandbox provider is for development only.',
    );
  }
  if (env['STRIPE_API_BASE']) {
    throw new StartError(
      'STRIPE_API_BASE is set but STRIPE_SECRET_KEY is not. Set both, or neither to use the sandbox.',
    );
  }
  const kept = rememberedSecrets(dataDir);
  return {
    sandbox: true,
    env: {
      STRIPE_SECRET_KEY: kept.stripe_secret_key,
      STRIPE_API_BASE: `http://127.0.0.1:${String(sandboxPort)}`,
      STRIPE_WEBHOOK_SECRET: env['STRIPE_WEBHOOK_SECRET'] || kept.stripe_webhook_secret,
    },
  };
}

interface Secrets {
  readonly stripe_secret_key: string;
  readonly stripe_webhook_secret: string;
}

/** Made once, so that charges of the sandbox stay reachable with the same key after a restart. */
function rememberedSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'sandbox-secrets.json');
  if (!existsSync(path)) {
    const secrets: Secrets = {
      stripe_secret_key: `sk_test_${randomBytes(24).toString('hex')}`,
      stripe_webhook_secret: `whsec_${randomBytes(32).toString('base64')}`,
    };
    const mine = `${path}.${String(process.pid)}.${randomBytes(4).toString('hex')}`;
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
  return JSON.parse(readFileSync(path, 'utf8')) as Secrets;
}

import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';

import type { Config } from './config.js';
import { Environment } from './environment.js';
import { deploymentProblems } from './production-rules.js';
import { redisOf, redisProblems } from './redis-settings.js';
import { stripeOf } from './stripe-accounts.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Thrown at the start, with one line for each variable that is missing or wrong. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the settings. A variable that is empty counts as not set.
 * @throws ConfigError naming every variable that is missing or wrong
 */
export function readConfig(variables: Variables): Config {
  const names = Object.keys(new Environment());
  const given = names.map((name) => [name, variables[name]] as const);
  const set = Object.fromEntries(given.filter(([, text]) => text !== undefined && text !== ''));
  const environment = plainToInstance(Environment, set);
  const problems = validateSync(environment).flatMap(({ constraints }) => Object.values(constraints ?? {}));
  problems.push(...redisProblems(environment), ...deploymentProblems(environment));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return configOf(environment);
}

/** Work in bulk may take longer than what a caller of the API waits for. */
const IN_BULK = 5;

/** The settings of a worker, which gives the database more time: nobody waits for it. */
export function readWorkerConfig(variables: Variables): Config {
  const config = readConfig(variables);
  const stripe = { ...config.stripe, share: 'background' } as const;
  return { ...config, stripe, databaseTimeoutMs: config.databaseTimeoutMs * IN_BULK };
}

/** The settings of an admin command, for which somebody waits: few logs, and no waiting for a server that is away. */
export function readCommandConfig(variables: Variables): Config {
  const config = readWorkerConfig({ ...variables, LOG_LEVEL: variables['LOG_LEVEL'] ?? 'error' });
  return { ...config, logTo: 'stderr', databaseAttempts: 1 };
}

function configOf(env: Environment): Config {
  return {
    environment: env.NODE_ENV,
    port: env.PORT,
    publicUrl: (env.PUBLIC_URL ?? `http://127.0.0.1:${String(env.PORT)}`).replace(/\/+$/, ''),
    apiManagementPort: env.API_MANAGEMENT_PORT,
    workerManagementPort: env.WORKER_MANAGEMENT_PORT,
    managementHost: env.MANAGEMENT_HOST,
    mongodbUri: env.MONGODB_URI,
    redis: redisOf(env),
    dataDir: env.DATA_DIR,
    stripe: stripeOf(env),
    viesUrl: env.VIES_URL?.replace(/\/+$/, '') ?? null,
    // The second is what the first was called before.
    secretKeys: env.SECRET_KEYS,
    webhooks: {
      allowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
      retryDelaysMs: env.WEBHOOK_RETRY_DELAYS,
      disableAfterDeliveries: env.WEBHOOK_DISABLE_AFTER_DELIVERIES,
      disableAfterMs: env.WEBHOOK_DISABLE_AFTER,
    },
    trustedProxies: env.TRUST_PROXY,
    queuesWritable: env.QUEUES_WRITABLE,
    limits: limitsOf(env),
    images: {
      quotaBytes: env.IMAGE_QUOTA_MB_PER_COMPANY * 1_048_576,
      uploads: env.IMAGE_UPLOADS_AT_ONCE,
      uploadsPerCompany: env.IMAGE_UPLOADS_AT_ONCE_PER_COMPANY,
    },
    retention: { eventDays: env.EVENT_RETENTION_DAYS, deliveryDays: env.DELIVERY_RETENTION_DAYS },
    sweepIntervalMs: env.SWEEP_INTERVAL_MS,
    chargesAtOnce: env.CHARGES_AT_ONCE,
    orderAuthenticationMs: env.ORDER_AUTHENTICATION_TIMEOUT,
    checkupMs: env.CHECKUP_TIMEOUT,
    leaseMs: env.LEASE_MS,
    logLevel: env.LOG_LEVEL,
    logTo: 'stdout',
    databaseTimeoutMs: env.DATABASE_TIMEOUT,
    databaseEngine: env.DATABASE_ENGINE === 'auto' ? null : env.DATABASE_ENGINE,
    databaseAttempts: 30,
  };
}

function limitsOf(env: Environment): Config['limits'] {
  return {
    perSecond: env.RATE_LIMIT_PER_SECOND,
    burst: env.RATE_LIMIT_BURST,
    user: { perSecond: env.USER_RATE_LIMIT_PER_SECOND, burst: env.USER_RATE_LIMIT_BURST },
    address: { perSecond: env.ADDRESS_RATE_LIMIT_PER_SECOND, burst: env.ADDRESS_RATE_LIMIT_BURST },
    cardAttemptsPerHour: env.CARD_ATTEMPTS_PER_HOUR,
    couponGuessesPerHour: env.COUPON_GUESSES_PER_HOUR,
    keptReplyKib: env.KEPT_REPLIES_MB_PER_DAY * 1024,
    idempotencyKeysPerDay: env.IDEMPOTENCY_KEYS_PER_DAY,
    authFailuresPerMinute: env.AUTH_FAILURES_PER_MINUTE,
    verifiesPerWebhook: env.VERIFIES_PER_MINUTE,
    verifiesPerCompany: env.VERIFIES_PER_MINUTE_AND_COMPANY,
    verifiesPerHost: env.VERIFIES_PER_MINUTE_AND_HOST,
    simulatesPerWebhook: env.SIMULATES_PER_MINUTE,
    webhooksPerCompany: env.WEBHOOKS_PER_COMPANY,
    keysPerCompany: env.KEYS_PER_COMPANY,
    requestMs: env.REQUEST_TIMEOUT,
    streamMs: env.STREAM_TIMEOUT,
  };
}

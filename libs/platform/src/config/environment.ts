import { ValidateBy } from 'class-validator';
import ms from 'ms';

import type { Config } from './config.js';
import {
  Address,
  AnyText,
  Duration,
  Durations,
  Keys,
  OneOf,
  Proxies,
  TrueOrFalse,
  WholeNumber,
} from './environment-decorators.js';
import { MainSecretKey, TestSecretKey } from './stripe-accounts.js';

const ENVIRONMENTS = ['development', 'test', 'production'];
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const PORT = 65_535;
const MANY = 1_000_000;
const HOUR = 3_600_000;
const MANY_DAYS = 10_000;

/** Every variable of the environment that the service reads, by its name, with its default. Durations are in ms. */
export class Environment {
  @OneOf(ENVIRONMENTS)
  NODE_ENV: Config['environment'] = 'development';

  @WholeNumber(0, PORT)
  PORT = 3000;

  /** Where customers reach the API; empty: this machine. */
  @Address(['http', 'https'])
  PUBLIC_URL: string | null = null;

  @WholeNumber(0, PORT)
  API_MANAGEMENT_PORT = 3001;

  @WholeNumber(0, PORT)
  WORKER_MANAGEMENT_PORT = 3002;

  @AnyText()
  MANAGEMENT_HOST = '127.0.0.1';

  @TrueOrFalse()
  QUEUES_WRITABLE = false;

  @Proxies()
  TRUST_PROXY: number | readonly string[] = 0;

  @Address(['mongodb', 'mongodb+srv'], '`npm start` finds or starts a MongoDB; else name one, as mongodb://…')
  MONGODB_URI = '';

  @Address(['redis', 'rediss'], '`npm start` finds or starts a Redis; else name one, as redis://…')
  REDIS_URL = '';

  /** One node, a set that Sentinels watch, or a cluster. */
  @OneOf(['single', 'sentinel', 'cluster'])
  REDIS_MODE: Config['redis']['mode'] = 'single';

  @AnyText()
  REDIS_SENTINEL_MASTER: string | null = null;

  @AnyText()
  DATA_DIR = '.data';

  @MainSecretKey()
  STRIPE_SECRET_KEY = '';

  @Address(['http', 'https'])
  STRIPE_API_BASE = 'https://api.stripe.com';

  @AnyText()
  STRIPE_WEBHOOK_SECRET: string | null = null;

  @AnyText()
  STRIPE_PUBLISHABLE_KEY: string | null = null;

  @TestSecretKey()
  STRIPE_TEST_SECRET_KEY: string | null = null;

  @AnyText()
  STRIPE_TEST_WEBHOOK_SECRET: string | null = null;

  @AnyText()
  STRIPE_TEST_PUBLISHABLE_KEY: string | null = null;

  /** Where browsers load the provider's library from; follows from STRIPE_API_BASE unless it is set. */
  @Address(['http', 'https'])
  STRIPE_LIBRARY_URL: string | null = null;

  @WholeNumber(100, 60_000)
  STRIPE_TIMEOUT_MS = 10_000;

  /** Unless it is set: 80 for a live account, 20 for a test account, and without limit for the sandbox. */
  @WholeNumber(0, MANY)
  PROVIDER_RATE_PER_SECOND: number | null = null;

  /** The REST interface of VIES, the register of VAT ids of the EU; nothing is asked unless it is set. */
  @Address(['http', 'https'])
  VIES_URL: string | null = null;

  @TrueOrFalse()
  WEBHOOK_ALLOW_PRIVATE = false;

  @Durations()
  WEBHOOK_RETRY_DELAYS: readonly number[] = [ms('30s'), ms('10m'), ms('2h'), ms('22h')];

  @Keys()
  @NeededInProduction()
  SECRET_KEYS: readonly Uint8Array[] = [];

  @WholeNumber(0, MANY)
  WEBHOOK_DISABLE_AFTER_DELIVERIES = 20;

  @Duration()
  WEBHOOK_DISABLE_AFTER = ms('120h');

  @WholeNumber(0, MANY)
  RATE_LIMIT_PER_SECOND = 100;

  @WholeNumber(0, MANY)
  RATE_LIMIT_BURST = 200;

  @WholeNumber(0, MANY)
  USER_RATE_LIMIT_PER_SECOND = 10;

  @WholeNumber(0, MANY)
  USER_RATE_LIMIT_BURST = 60;

  @WholeNumber(0, MANY)
  ADDRESS_RATE_LIMIT_PER_SECOND = 50;

  @WholeNumber(0, MANY)
  ADDRESS_RATE_LIMIT_BURST = 100;

  @WholeNumber(0, MANY)
  CARD_ATTEMPTS_PER_HOUR = 30;

  @WholeNumber(0, MANY)
  COUPON_GUESSES_PER_HOUR = 30;

  @WholeNumber(0, MANY)
  KEPT_REPLIES_MB_PER_DAY = 256;

  @WholeNumber(0, 1000 * MANY)
  IDEMPOTENCY_KEYS_PER_DAY = MANY;

  @WholeNumber(0, MANY)
  AUTH_FAILURES_PER_MINUTE = 20;

  @WholeNumber(0, MANY)
  VERIFIES_PER_MINUTE = 6;

  @WholeNumber(0, MANY)
  VERIFIES_PER_MINUTE_AND_COMPANY = 30;

  @WholeNumber(0, MANY)
  VERIFIES_PER_MINUTE_AND_HOST = 120;

  @WholeNumber(0, MANY)
  SIMULATES_PER_MINUTE = 60;

  @WholeNumber(1, 1000)
  CHARGES_AT_ONCE = 64;

  @WholeNumber(0, MANY)
  WEBHOOKS_PER_COMPANY = 100;

  @WholeNumber(0, MANY)
  KEYS_PER_COMPANY = 100;

  @Duration()
  REQUEST_TIMEOUT = ms('2m');

  @Duration()
  STREAM_TIMEOUT = ms('15m');

  @Duration()
  DATABASE_TIMEOUT = ms('2500ms');

  @OneOf(['auto', 'mongodb', 'embedded'])
  DATABASE_ENGINE: 'auto' | 'mongodb' | 'embedded' = 'auto';

  @WholeNumber(0, MANY)
  IMAGE_QUOTA_MB_PER_COMPANY = 1024;

  @WholeNumber(1, 1000)
  IMAGE_UPLOADS_AT_ONCE = 16;

  @WholeNumber(1, 1000)
  IMAGE_UPLOADS_AT_ONCE_PER_COMPANY = 8;

  @WholeNumber(0, MANY_DAYS)
  EVENT_RETENTION_DAYS = 90;

  @WholeNumber(0, MANY_DAYS)
  DELIVERY_RETENTION_DAYS = 30;

  @WholeNumber(10, HOUR)
  SWEEP_INTERVAL_MS = 1000;

  @Duration()
  ORDER_AUTHENTICATION_TIMEOUT = ms('7d');

  @Duration()
  CHECKUP_TIMEOUT = ms('30m');

  @WholeNumber(500, HOUR)
  LEASE_MS = 25_000;

  @OneOf(LEVELS)
  LOG_LEVEL = 'info';
}

/** A key file in a folder is lost with its machine; in production the keys are kept where other secrets are. */
function NeededInProduction(): PropertyDecorator {
  return ValidateBy({
    name: 'hasSecretKeys',
    validator: {
      validate: (_value, args) => {
        const env = args?.object as Environment;
        return env.NODE_ENV !== 'production' || env.SECRET_KEYS.length > 0;
      },
      defaultMessage: () =>
        'SECRET_KEYS is not set: production needs a key, such as `openssl rand -hex 32` makes',
    },
  });
}

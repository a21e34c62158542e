import { readFileSync } from 'node:fs';

import { Environment } from './environment.js';
import { ConfigError, readCommandConfig, readConfig } from './read-config.js';

const needed = {
  MONGODB_URI: 'mongodb://a:1,b:2/commerce?replicaSet=rs0',
  REDIS_URL: 'redis://127.0.0.1:6379/0',
  STRIPE_SECRET_KEY: 'sk_test_x',
};

const KEY = '0a'.repeat(32);

/** With a live key nothing else is accepted. */
const PRODUCTION = {
  NODE_ENV: 'production',
  SECRET_KEYS: KEY,
  STRIPE_WEBHOOK_SECRET: 'whsec_a',
  STRIPE_TEST_WEBHOOK_SECRET: 'whsec_b',
};

/** The settings that go with the key: those of production where it is a live one. */
function deployed({
  STRIPE_SECRET_KEY: key = '',
}: Readonly<Record<string, string>>): typeof PRODUCTION | object {
  return key.includes('_live_') ? PRODUCTION : {};
}

function problems(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
}

/** The lines of .env.example as if each were uncommented; those of the sandbox are read by the sandbox. */
function exampleLines(): [string, string][] {
  const text = readFileSync(new URL('../../../../.env.example', import.meta.url), 'utf8');
  const lines = text.matchAll(/^#?([A-Z_]+)=(.*)$/gm);
  return [...lines].map(([, name = '', value = '']): [string, string] => [name, value]);
}

describe('the settings', () => {
  it('have defaults for all that can have one', () => {
    expect(readConfig(needed)).toMatchObject({
      environment: 'development',
      port: 3000,
      mongodbUri: needed.MONGODB_URI,
      stripe: { live: null, test: { secretKey: 'sk_test_x', webhookSecret: null }, timeoutMs: 10_000 },
      webhooks: {
        allowPrivate: false,
        retryDelaysMs: [30_000, 600_000, 7_200_000, 79_200_000],
      },
      secretKeys: [],
      limits: { perSecond: 100, burst: 200 },
      logTo: 'stdout',
      databaseTimeoutMs: 2500,
      databaseEngine: null,
      databaseAttempts: 30,
    });
  });

  it('take an empty variable for one that is not set', () => {
    expect(readConfig({ ...needed, PORT: '', STRIPE_WEBHOOK_SECRET: '', SECRET_KEYS: '' })).toEqual(
      readConfig(needed),
    );
  });

  it('read numbers, flags, durations and keys', () => {
    const config = readConfig({
      ...needed,
      PORT: '0',
      WEBHOOK_ALLOW_PRIVATE: 'TRUE',
      WEBHOOK_RETRY_DELAYS: '10ms, 1.5s,2h',
      WEBHOOK_DISABLE_AFTER: '2d',
      SECRET_KEYS: `${'0a'.repeat(32)}, ${'FF'.repeat(32)}`,
    });
    expect(config.port).toBe(0);
    expect(config.webhooks).toMatchObject({
      allowPrivate: true,
      retryDelaysMs: [10, 1500, 7_200_000],
      disableAfterMs: 172_800_000,
    });
    expect(config.secretKeys.map((key) => [key.length, key[0]])).toEqual([
      [32, 10],
      [32, 255],
    ]);
  });

  it('name all that is missing at once', () => {
    expect(problems({})).toEqual([
      expect.stringContaining('MONGODB_URI is not set'),
      expect.stringContaining('REDIS_URL is not set'),
      expect.stringContaining('STRIPE_SECRET_KEY is not set: start the service by `npm start`'),
    ]);
    expect(problems({ NODE_ENV: 'production' })[2]).toContain('production needs the secret key');
  });

  it('name all that is wrong at once', () => {
    const wrong = { PORT: '70000', LOG_LEVEL: 'loud', WEBHOOK_ALLOW_PRIVATE: 'maybe', REDIS_URL: 'http://x' };
    expect(problems({ ...needed, ...wrong })).toEqual([
      'PORT must be a whole number from 0 to 65535, not "70000"',
      'REDIS_URL must start with redis:// or rediss://',
      'WEBHOOK_ALLOW_PRIVATE must be true or false, not "maybe"',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
    ]);
  });

  it.each([
    ['PORT', '1e3'],
    ['PORT', '-1'],
    ['SWEEP_INTERVAL_MS', '9'],
    ['WEBHOOK_RETRY_DELAYS', '30'],
    ['WEBHOOK_RETRY_DELAYS', '30s,'],
    ['WEBHOOK_RETRY_DELAYS', '-30s'],
    ['WEBHOOK_DISABLE_AFTER', '5 parsecs'],
    ['SECRET_KEYS', 'abc'],
    ['NODE_ENV', 'staging'],
    ['STRIPE_API_BASE', 'ftp://x'],
  ])('refuse %s=%s', (name, value) => {
    expect(problems({ ...needed, [name]: value })).toEqual([expect.stringMatching(`^${name} must `)]);
  });

  it.each(['REDIS_URL', 'MONGODB_URI', 'SECRET_KEYS'])('never repeat what %s holds', (name) => {
    expect(problems({ ...needed, [name]: 'my password' }).join()).not.toContain('password');
  });

  it('suit a command: it logs errors only, away from its result, and does not wait for the database', () => {
    expect(readCommandConfig(needed)).toMatchObject({
      logLevel: 'error',
      logTo: 'stderr',
      databaseTimeoutMs: 12_500,
      databaseAttempts: 1,
    });
    expect(readCommandConfig({ ...needed, LOG_LEVEL: 'debug' }).logLevel).toBe('debug');
  });
});

describe('the keys that seal secrets', () => {
  it('must be set in production', () => {
    const production = { ...needed, NODE_ENV: 'production', STRIPE_WEBHOOK_SECRET: 'whsec_a' };
    expect(problems(production)).toEqual([expect.stringContaining('SECRET_KEYS is not set')]);
    expect(problems({ ...production, SECRET_KEYS: KEY })).toEqual([]);
  });
});

describe('the accounts with the card provider', () => {
  const of = (env: Record<string, string>): [string | undefined, string | undefined] => {
    const { live, test } = readConfig({ ...needed, STRIPE_SECRET_KEY: '', ...env, ...deployed(env) }).stripe;
    return [live?.secretKey, test?.secretKey];
  };
  const sandbox = 'http://127.0.0.1:3003';

  it.each([
    [{ STRIPE_SECRET_KEY: 'sk_live_a' }, ['sk_live_a', undefined]],
    [{ STRIPE_SECRET_KEY: 'rk_test_a' }, [undefined, 'rk_test_a']],
    [{ STRIPE_TEST_SECRET_KEY: 'sk_test_a' }, [undefined, 'sk_test_a']],
    [{ STRIPE_SECRET_KEY: 'rk_live_a', STRIPE_TEST_SECRET_KEY: 'sk_test_b' }, ['rk_live_a', 'sk_test_b']],
    [{ STRIPE_SECRET_KEY: 'sk_test_a', STRIPE_API_BASE: sandbox }, ['sk_test_a', 'sk_test_a']],
    [{ STRIPE_TEST_SECRET_KEY: 'sk_test_a', STRIPE_API_BASE: sandbox }, [undefined, 'sk_test_a']],
    [
      {
        STRIPE_SECRET_KEY: 'sk_test_a',
        STRIPE_API_BASE: 'https://sandbox.example.com',
        STRIPE_WEBHOOK_SECRET: 'whsec_a',
        NODE_ENV: 'production',
        SECRET_KEYS: KEY,
      },
      [undefined, 'sk_test_a'],
    ],
  ])('of %j serve live and test companies: %j', (env, expected) => {
    expect(of(env)).toEqual(expected);
  });

  it.each([
    [{ STRIPE_SECRET_KEY: 'sk_live_a' }, [80, undefined]],
    [{ STRIPE_SECRET_KEY: 'sk_test_a' }, [undefined, 20]],
    [{ STRIPE_SECRET_KEY: 'sk_live_a', STRIPE_TEST_SECRET_KEY: 'sk_test_b' }, [80, 20]],
    [
      { STRIPE_SECRET_KEY: 'sk_live_a', STRIPE_TEST_SECRET_KEY: 'sk_test_b', PROVIDER_RATE_PER_SECOND: '50' },
      [50, 50],
    ],
    [{ STRIPE_SECRET_KEY: 'sk_live_a', PROVIDER_RATE_PER_SECOND: '0' }, [0, undefined]],
    [{ STRIPE_SECRET_KEY: 'sk_test_a', STRIPE_API_BASE: sandbox }, [0, 0]],
    [{ STRIPE_SECRET_KEY: 'sk_test_a', STRIPE_API_BASE: sandbox, PROVIDER_RATE_PER_SECOND: '30' }, [30, 30]],
  ])('of %j get so many requests a second, live and test: %j', (env, expected) => {
    const { live, test } = readConfig({ ...needed, ...env, ...deployed(env) }).stripe;
    expect([live?.ratePerSecond, test?.ratePerSecond]).toEqual(expected);
  });

  it('have secrets of their own', () => {
    const { live, test } = readConfig({
      ...needed,
      ...PRODUCTION,
      STRIPE_SECRET_KEY: 'sk_live_a',
      STRIPE_WEBHOOK_SECRET: 'whsec_a',
      STRIPE_TEST_SECRET_KEY: 'sk_test_b',
      STRIPE_TEST_WEBHOOK_SECRET: 'whsec_b',
      STRIPE_TEST_PUBLISHABLE_KEY: 'pk_test_b',
    }).stripe;
    expect(live).toEqual({
      secretKey: 'sk_live_a',
      webhookSecret: 'whsec_a',
      publishableKey: null,
      ratePerSecond: 80,
    });
    expect(test).toEqual({
      secretKey: 'sk_test_b',
      webhookSecret: 'whsec_b',
      publishableKey: 'pk_test_b',
      ratePerSecond: 20,
    });
  });

  it.each([
    [
      { STRIPE_SECRET_KEY: 'secret' },
      'STRIPE_SECRET_KEY must start with sk_live_, rk_live_, sk_test_ or rk_test_',
    ],
    [
      { ...PRODUCTION, STRIPE_SECRET_KEY: 'sk_live_b', STRIPE_TEST_SECRET_KEY: 'sk_live_a' },
      'STRIPE_TEST_SECRET_KEY must start with sk_test_ or rk_test_',
    ],
    [
      { STRIPE_SECRET_KEY: 'sk_test_a', STRIPE_TEST_SECRET_KEY: 'sk_test_b' },
      'STRIPE_SECRET_KEY must start with sk_live_ or rk_live_ where STRIPE_TEST_SECRET_KEY is set',
    ],
  ])('refuse %j', (env, message) => {
    expect(problems({ ...needed, ...env })).toEqual([message]);
  });
});

describe('production', () => {
  const production = { ...needed, NODE_ENV: 'production', STRIPE_SECRET_KEY: 'sk_live_a' };
  const complete = { ...production, STRIPE_WEBHOOK_SECRET: 'whsec_a', SECRET_KEYS: KEY };

  it('refuses what suits development only, all of it at once', () => {
    const lax = { STRIPE_API_BASE: 'http://127.0.0.1:3003', WEBHOOK_ALLOW_PRIVATE: 'true' };
    expect(problems({ ...production, ...lax, STRIPE_TEST_SECRET_KEY: 'sk_test_b' })).toEqual([
      expect.stringMatching(/^SECRET_KEYS is not set/),
      expect.stringMatching(/^STRIPE_API_BASE must start with https/),
      expect.stringMatching(/^WEBHOOK_ALLOW_PRIVATE must not be true/),
      expect.stringMatching(/^STRIPE_WEBHOOK_SECRET is not set/),
      expect.stringMatching(/^STRIPE_TEST_WEBHOOK_SECRET is not set/),
    ]);
    expect(problems({ ...needed, ...lax })).toEqual([]);
  });

  it.each(['sk_live_a', 'rk_live_a'])('alone takes a live key: %s', (key) => {
    const live = { ...needed, STRIPE_SECRET_KEY: key };
    const refused = expect.stringMatching(
      /^STRIPE_SECRET_KEY must be a test key unless NODE_ENV is production/,
    );
    expect(problems(live)).toEqual([refused]);
    expect(problems({ ...live, NODE_ENV: 'test', STRIPE_API_BASE: 'http://127.0.0.1:1' })).toEqual([refused]);
    expect(problems({ ...live, WEBHOOK_ALLOW_PRIVATE: 'true' })).toEqual([
      refused,
      expect.stringMatching(/^WEBHOOK_ALLOW_PRIVATE must not be true beside a live key/),
    ]);
  });

  it('behind https needs to know its proxies', () => {
    const https = { ...complete, PUBLIC_URL: 'https://api.example.com' };
    const unset = [expect.stringMatching(/^TRUST_PROXY is not set: PUBLIC_URL is https/)];
    expect(problems(https)).toEqual(unset);
    expect(problems({ ...https, TRUST_PROXY: '0' })).toEqual(unset);
    expect(problems({ ...https, TRUST_PROXY: '1' })).toEqual([]);
    expect(problems({ ...https, TRUST_PROXY: 'loopback' })).toEqual([]);
    expect(problems({ ...complete, PUBLIC_URL: 'http://10.0.0.1:3000' })).toEqual([]);
  });

  it('takes settings that are complete', () => {
    expect(problems(complete)).toEqual([]);
    expect(problems({ ...complete, STRIPE_API_BASE: 'https://stripe.example.com' })).toEqual([]);
  });
});

describe('.env.example', () => {
  it('shows every setting once, with its default', () => {
    const lines = exampleLines().filter(([name]) => !name.startsWith('SANDBOX_'));
    expect(lines.map(([name]) => name).sort()).toEqual(Object.keys(new Environment()).sort());
    const { MONGODB_URI, REDIS_URL, ...defaults } = Object.fromEntries(lines);
    expect(readConfig({ ...defaults, ...needed })).toEqual(readConfig(needed));
    expect(problems({ ...needed, MONGODB_URI: String(MONGODB_URI), REDIS_URL: String(REDIS_URL) })).toEqual(
      [],
    );
  });
});

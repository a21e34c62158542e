import { ValidateBy } from 'class-validator';

import type { Config, StripeAccount } from './config.js';

const STRIPE = 'https://api.stripe.com';

/** The variables that are about the card provider. */
interface StripeVariables {
  readonly NODE_ENV: Config['environment'];
  readonly STRIPE_SECRET_KEY: string;
  readonly STRIPE_WEBHOOK_SECRET: string | null;
  readonly STRIPE_PUBLISHABLE_KEY: string | null;
  readonly STRIPE_TEST_SECRET_KEY: string | null;
  readonly STRIPE_TEST_WEBHOOK_SECRET: string | null;
  readonly STRIPE_TEST_PUBLISHABLE_KEY: string | null;
  readonly STRIPE_API_BASE: string;
  readonly STRIPE_LIBRARY_URL: string | null;
  readonly STRIPE_TIMEOUT_MS: number;
  readonly PROVIDER_RATE_PER_SECOND: number | null;
}

/** Stripe takes 100 requests a second in live mode and 25 in test mode; other users of the account need some, too. */
const LIVE_PER_SECOND = 80;
const TEST_PER_SECOND = 20;

const TEST_KEY = /^(sk|rk)_test_/;
const SECRET_KEY = /^(sk|rk)_(test|live)_/;

/** Whether the key belongs to a test account of Stripe. */
const isTestKey = (key: string): boolean => TEST_KEY.test(key);

/** Whether the key charges real cards. */
export const isLiveKey = (key: string): boolean => SECRET_KEY.test(key) && !isTestKey(key);

/** A rule about one variable that depends on others; `problem` says what is wrong, null if nothing is. */
function Rule(name: string, problem: (env: StripeVariables) => string | null): PropertyDecorator {
  const problemOf = (object: unknown): string | null => problem(object as StripeVariables);
  return ValidateBy({
    name,
    validator: {
      validate: (_value, args) => problemOf(args?.object) === null,
      defaultMessage: (args) => problemOf(args?.object) ?? '',
    },
  });
}

/** The key of the live account or, where it is the only key, of a test account. */
export const MainSecretKey = (): PropertyDecorator =>
  Rule('isStripeKey', (env) => {
    const { STRIPE_SECRET_KEY: key, STRIPE_TEST_SECRET_KEY: test } = env;
    if (key === '') return test === null ? missing(env) : null;
    if (!SECRET_KEY.test(key))
      return 'STRIPE_SECRET_KEY must start with sk_live_, rk_live_, sk_test_ or rk_test_';
    if (test === null || !isTestKey(key)) return null;
    return 'STRIPE_SECRET_KEY must start with sk_live_ or rk_live_ where STRIPE_TEST_SECRET_KEY is set';
  });

/** The key of the test account beside a live one. */
export const TestSecretKey = (): PropertyDecorator =>
  Rule('isStripeTestKey', ({ STRIPE_TEST_SECRET_KEY: key }) =>
    key === null || isTestKey(key) ? null : 'STRIPE_TEST_SECRET_KEY must start with sk_test_ or rk_test_',
  );

/** In production there is no sandbox to fall back on, so the advice differs. */
function missing({ NODE_ENV }: StripeVariables): string {
  return NODE_ENV === 'production'
    ? 'STRIPE_SECRET_KEY is not set: production needs the secret key of your Stripe account'
    : 'STRIPE_SECRET_KEY is not set: start the service by `npm start`, which runs the sandbox provider, or set it';
}

/**
 * The accounts that serve live and test companies. A single test key serves test companies; if it is the key of the
 * sandbox, which moves no money, it serves both.
 */
export function stripeOf(env: StripeVariables): Config['stripe'] {
  const { STRIPE_API_BASE: apiBase, STRIPE_SECRET_KEY: key, STRIPE_TEST_SECRET_KEY: testKey } = env;
  const isReal = apiBase === STRIPE;
  const isTest = isTestKey(key);
  const inSandbox = isTest && !isReal && env.NODE_ENV !== 'production';
  const perSecond = env.PROVIDER_RATE_PER_SECOND ?? (inSandbox ? 0 : null);
  const accountOf = (
    secretKey: string,
    webhookSecret: string | null,
    publishableKey: string | null,
  ): StripeAccount => ({
    secretKey,
    webhookSecret,
    publishableKey: publishableKey ?? (isReal ? null : derivedKey(secretKey)),
    ratePerSecond: perSecond ?? (isTestKey(secretKey) ? TEST_PER_SECOND : LIVE_PER_SECOND),
  });
  const main = key === '' ? null : accountOf(key, env.STRIPE_WEBHOOK_SECRET, env.STRIPE_PUBLISHABLE_KEY);
  const second =
    testKey === null
      ? null
      : accountOf(testKey, env.STRIPE_TEST_WEBHOOK_SECRET, env.STRIPE_TEST_PUBLISHABLE_KEY);
  return {
    live: isTest && !inSandbox ? null : main,
    test: isTest ? main : second,
    apiBase,
    libraryUrl: env.STRIPE_LIBRARY_URL ?? (isReal ? 'https://js.stripe.com/v3/' : `${apiBase}/v3/`),
    timeoutMs: env.STRIPE_TIMEOUT_MS,
    share: 'requests',
  };
}

/** In the sandbox each secret key has a publishable one of the same ending. */
function derivedKey(secretKey: string): string {
  return secretKey.replace(/^(sk|rk)_/, 'pk_');
}

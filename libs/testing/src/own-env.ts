/** Settings that select databases, ports or a card provider, or that change how a process works. */
const SETTINGS =
  /^(MONGODB_URI|REDIS_.*|DATA_DIR|.*PORT|STRIPE_.*|PROVIDER_.*|WEBHOOK_.*|.*RATE_LIMIT_.*|AUTH_FAILURES_.*|SWEEP_.*|SANDBOX_.*|CHARGES_AT_ONCE)$/;

/** The caller's environment for an isolated run: without its database, queue or card provider. */
export function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SETTINGS.test(name)));
}

/** Settings that switch off every limit on requests. */
const UNLIMITED = {
  RATE_LIMIT_PER_SECOND: '0',
  USER_RATE_LIMIT_PER_SECOND: '0',
  ADDRESS_RATE_LIMIT_PER_SECOND: '0',
  CARD_ATTEMPTS_PER_HOUR: '0',
  COUPON_GUESSES_PER_HOUR: '0',
  VERIFIES_PER_MINUTE_AND_HOST: '0',
  AUTH_FAILURES_PER_MINUTE: '0',
};

/** The environment of a tool that loads a service of its own: the caller's without settings, and without limits. */
export function toolEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...withoutSettings(env), ...UNLIMITED, NODE_ENV: 'development', LOG_LEVEL: 'warn' };
}

/** Settings that select databases, ports or a card provider, or that change how a process works. */
const SETTINGS =
  /^(MONGODB_URI|REDIS_.*|DATA_DIR|.*PORT|STRIPE_.*|PROVIDER_.*|WEBHOOK_.*|.*RATE_LIMIT_.*|AUTH_FAILURES_.*|SWEEP_.*|SANDBOX_.*|CHARGES_AT_ONCE)$/;

/** The caller's environment for an isolated run: without its database, queue or card provider. */
export function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SETTINGS.test(name)));
}

/** Settings by which a process reaches databases, ports and a card provider, or that change how it works. */
const SETTINGS =
  /^(MONGODB_URI|REDIS_URL|DATA_DIR|.*PORT|STRIPE_.*|PROVIDER_.*|WEBHOOK_.*|.*RATE_LIMIT_.*|SWEEP_.*|SANDBOX_.*)$/;

/** The caller's environment for a run that must touch nothing that is there: no database, queue or card provider. */
export function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SETTINGS.test(name)));
}

import type { Environment } from './environment.js';

/** What suits development and would be a hole in production: one line for each variable. */
export function productionProblems(env: Environment): string[] {
  if (env.NODE_ENV !== 'production') return [];
  const problems: (string | false)[] = [
    env.STRIPE_API_BASE.startsWith('http://') &&
      'STRIPE_API_BASE must start with https:// in production: keys and cards would cross the network in the clear',
    env.WEBHOOK_ALLOW_PRIVATE &&
      'WEBHOOK_ALLOW_PRIVATE must not be true in production: webhooks would reach the inside of your network',
    env.STRIPE_SECRET_KEY !== '' && env.STRIPE_WEBHOOK_SECRET === null && missing('STRIPE_WEBHOOK_SECRET'),
    env.STRIPE_TEST_SECRET_KEY !== null &&
      env.STRIPE_TEST_WEBHOOK_SECRET === null &&
      missing('STRIPE_TEST_WEBHOOK_SECRET'),
  ];
  return problems.filter((problem) => problem !== false);
}

function missing(name: string): string {
  return `${name} is not set: production needs the signing secret of the webhooks that Stripe sends`;
}

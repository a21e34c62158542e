import type { Environment } from './environment.js';
import { isLiveKey } from './stripe-accounts.js';

/** The settings that suit development and would be a hole in production, and a live key outside it: one line each. */
export function deploymentProblems(env: Environment): string[] {
  const problems = env.NODE_ENV === 'production' ? productionProblems(env) : liveKeyProblems(env);
  return problems.filter((problem) => problem !== false);
}

function productionProblems(env: Environment): (string | false)[] {
  return [
    env.STRIPE_API_BASE.startsWith('http://') &&
      'STRIPE_API_BASE must start with https:// in production: keys and cards would cross the network in the clear',
    env.WEBHOOK_ALLOW_PRIVATE &&
      'WEBHOOK_ALLOW_PRIVATE must not be true in production: webhooks would reach the inside of your network',
    env.PUBLIC_URL?.startsWith('https://') === true &&
      env.TRUST_PROXY === 0 &&
      'TRUST_PROXY is not set: PUBLIC_URL is https, so a proxy stands in front of the API, and all callers would share its address',
    env.STRIPE_SECRET_KEY !== '' && env.STRIPE_WEBHOOK_SECRET === null && missing('STRIPE_WEBHOOK_SECRET'),
    env.STRIPE_TEST_SECRET_KEY !== null &&
      env.STRIPE_TEST_WEBHOOK_SECRET === null &&
      missing('STRIPE_TEST_WEBHOOK_SECRET'),
  ];
}

function liveKeyProblems(env: Environment): (string | false)[] {
  if (!isLiveKey(env.STRIPE_SECRET_KEY)) return [];
  return [
    'STRIPE_SECRET_KEY must be a test key unless NODE_ENV is production: a live key charges real cards',
    env.WEBHOOK_ALLOW_PRIVATE &&
      'WEBHOOK_ALLOW_PRIVATE must not be true beside a live key: webhooks would reach the inside of your network',
  ];
}

function missing(name: string): string {
  return `${name} is not set: production needs the signing secret of the webhooks that Stripe sends`;
}

/**
 * @import { Stack } from './stack.mjs'
 *
 * @typedef {Record<'api_key' | 'service_key' | 'product' | 'plan' | 'user' | 'payment_method', string>} Demo
 *   keys and ids, as `seed:demo --json` prints them
 */

/**
 * What `npm start` prints when everything is ready.
 *
 * @param {Stack} stack
 * @param {Demo | null} demo null when nothing was seeded
 */
export function welcome(stack, demo) {
  const { ports, env, uris } = stack;
  const lines = [
    '',
    `  API                ${uris.api}   (documentation: ${uris.api}/docs)`,
    `  Console            ${uris.api}/console`,
    `  Health, metrics    http://127.0.0.1:${ports.apiManagement}/health/ready   /metrics   /queues`,
    `  Worker             http://127.0.0.1:${ports.workerManagement}/health/ready`,
    `  Card provider      ${env.STRIPE_API_BASE || 'Stripe'}`,
    `  MongoDB            ${hidePassword(uris.mongodb)}`,
    `  Redis              ${hidePassword(uris.redis)}`,
    `  Data, logs         ${env.DATA_DIR}, ${env.DATA_DIR}/logs`,
  ];
  if (demo) lines.push(...demoLines(uris.api, demo));
  lines.push('', '  Ctrl-C stops everything that was started here.', '');
  return lines.join('\n');
}

/**
 * @param {string} api
 * @param {Demo} demo
 */
function demoLines(api, demo) {
  return [
    '',
    '  Demo company',
    `    X-Service-Api-Key  ${demo.api_key}`,
    `    service key        ${demo.service_key}`,
    '',
    '  For the programs and commands of docs/quick-start.md and docs/recipes:',
    '',
    `  export API=${api} API_KEY=${demo.api_key} SERVICE_KEY=${demo.service_key}`,
    '',
    '  Try it:',
    '',
    ...curlLines(api, demo).flatMap(({ story, command }) => [`  # ${story}`, `  ${command}`, '']),
  ].slice(0, -1);
}

/**
 * Three lines that work as they are pasted.
 *
 * @param {string} api
 * @param {Demo} demo
 */
function curlLines(api, demo) {
  const key = `-H 'X-Service-Api-Key: ${demo.api_key}'`;
  const admin = `${key} -H 'Authorization: Bearer ${demo.service_key}'`;
  const { plan, user, payment_method } = demo;
  const order = JSON.stringify({ plan, user, payment_method, start_now: true });
  return [
    {
      story: 'the product that the demo plan sells',
      command: `curl -s ${api}/products/${demo.product} ${key}`,
    },
    {
      story: 'the demo customer subscribes; the first payment is taken from the saved card',
      command: `curl -s ${api}/subscriptions ${admin} -H 'Content-Type: application/json' -d '${order}'`,
    },
    {
      story: 'what has happened, in order, as a webhook would have told it',
      command: `curl -s ${api}/events ${admin}`,
    },
  ];
}

/** @param {string} uri */
function hidePassword(uri) {
  return uri.replace(/(:\/\/[^:/@]*):[^@]*@/, '$1:…@');
}

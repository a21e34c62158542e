import type { Stack } from '@commerce/stack';

/** Keys and ids, as `seed:demo --json` prints them. */
export type Demo = Record<'api_key' | 'service_key' | 'product' | 'plan' | 'user' | 'payment_method', string>;

/** The text that `npm start` prints when everything is ready; `demo` is null when nothing was seeded. */
export function welcome({ ports, env, uris }: Stack, demo: Demo | null): string {
  const { DATA_DIR: dataDir = '' } = env;
  const lines = [
    '',
    `  API                ${uris.api}   (documentation: ${uris.api}/docs)`,
    `  Console            ${uris.api}/console`,
    `  Health, metrics    http://127.0.0.1:${String(ports.apiManagement)}/health/ready   /metrics   /queues`,
    `  Worker             http://127.0.0.1:${String(ports.workerManagement)}/health/ready`,
    `  Card provider      ${env['STRIPE_API_BASE'] || 'Stripe'}`,
    `  MongoDB            ${hidePassword(uris.mongodb)}`,
    `  Redis              ${hidePassword(uris.redis)}`,
    `  Data, logs         ${dataDir}, ${dataDir}/logs`,
  ];
  if (demo) lines.push(...demoLines(uris.api, demo));
  lines.push('', '  Ctrl-C stops everything that was started here.', '');
  return lines.join('\n');
}

function demoLines(api: string, demo: Demo): string[] {
  return [
    '',
    '  Demo company',
    `    API key            ${demo.api_key}`,
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

/** Three lines that work as they are pasted. */
function curlLines(api: string, demo: Demo): { story: string; command: string }[] {
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

function hidePassword(uri: string): string {
  return uri.replace(/(:\/\/[^:/@]*):[^@]*@/, '$1:…@');
}

/**
 * What `npm start` prints when all is ready.
 *
 * @param {import('./stack/stack.mjs').Stack} stack
 * @param {Record<string, any> | null} demo what `seed:demo --json` printed, null when nothing was seeded
 */
export function welcome(stack, demo) {
  const { ports, env, uris } = stack;
  const lines = [
    '',
    `  API                ${uris.api}   (documentation: ${uris.api}/docs)`,
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

function demoLines(api, demo) {
  return [
    '',
    '  Demo company',
    `    X-Service-Api-Key  ${demo.api_key}`,
    `    service key        ${demo.service_key}`,
    '',
    '  Try it:',
    '',
    ...curlLines(api, demo).flatMap(({ story, command }) => [`  # ${story}`, `  ${command}`, '']),
  ].slice(0, -1);
}

/** Three lines that work as they are pasted. The texts are here and nowhere else. */
export function curlLines(api, demo) {
  const key = `-H 'X-Service-Api-Key: ${demo.api_key}'`;
  const admin = `${key} -H 'Authorization: Bearer ${demo.service_key}'`;
  const order = {
    plan: id(demo.plan),
    user: id(demo.user),
    payment_method: id(demo.payment_method),
    start_now: demo.payment_method ? true : undefined,
  };
  return [
    {
      story: 'the product that the demo plan sells',
      command: `curl -s ${api}/products/${id(demo.product)} ${key}`,
    },
    {
      story: 'the demo customer subscribes; the first payment is taken from the saved card',
      command: `curl -s ${api}/subscriptions ${admin} -H 'Content-Type: application/json' -d '${JSON.stringify(order)}'`,
    },
    {
      story: 'what has happened, in order, as a webhook would have told it',
      command: `curl -s ${api}/events ${admin}`,
    },
  ];
}

/** Ids come as plain strings or as the interface's `{"$oid"}`, alone or inside their record. */
function id(value) {
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  return value.$oid ?? id(value._id ?? value.id);
}

function hidePassword(uri) {
  return uri.replace(/(:\/\/[^:/@]*):[^@]*@/, '$1:…@');
}

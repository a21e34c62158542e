import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createCompany, type CompanyKeys, type Stack, startStack, type ToolContext } from '@commerce/stack';
import { Client, MerchantEndpoint, toolEnv } from '@commerce/testing';
import { createCommerceClient } from 'commerce-service-client';

import { Screen } from './screen.js';
import { Scenario } from './scenario.js';
import { summarise } from './summary.js';

/**
 * `npm run demo`: half a year of one subscription, shown in a terminal in under a minute. It starts its own service on
 * free ports with temporary data, so it can run beside any other, and exits with 1 when a check fails.
 */
export async function main({ env, processes, log }: ToolContext): Promise<number> {
  const stack = await startStack({
    dataDir: mkdtempSync(join(realpathSync(tmpdir()), 'commerce-demo-')),
    ephemeral: true,
    env: toolEnv(env),
    owner: processes,
    log,
  });
  try {
    const keys = await createCompany({ processes, env: stack.env }, 'Roastery');
    return (await tell(stack, keys)) ? 0 : 1;
  } finally {
    await stack.stop();
  }
}

/** Runs the scenario; true when every check passed. */
async function tell(stack: Stack, keys: CompanyKeys): Promise<boolean> {
  const since = performance.now();
  const screen = new Screen();
  const caller = { apiKey: keys.api_key, bearer: keys.service_key };
  const client = createCommerceClient({ baseUrl: stack.uris.api, ...caller });
  const endpoint = await MerchantEndpoint.start(new Client(stack.uris.api, caller));
  try {
    screen.title('A subscription on a test clock');
    const scenario = new Scenario({ client, endpoint, screen, provider: stack.env['STRIPE_API_BASE'] ?? '' });
    const outcome = await scenario.play();
    const seconds = (performance.now() - since) / 1000;
    return await summarise({ screen, stack, outcome, messages: endpoint.messages, seconds });
  } finally {
    await endpoint.stop();
  }
}

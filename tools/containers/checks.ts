import type { Log } from '#scripts/system/report.mjs';
import { elapsed } from '#scripts/system/report.mjs';
import type { CompanyKeys } from '@commerce/stack';
import { Client, MerchantEndpoint, Receiver } from '@commerce/testing';

import type { Ports } from './checkout.js';
import { Customers } from './customers.js';
import { SERVICES, type Deployment } from './deployment.js';
import { makeDocument, sell } from './invoices.js';
import { HOST_NAME } from './override.js';

/** The exit code that Docker reports for a process killed at the end of its grace period. */
const KILLED = 137;

/** Fails for root, and on a writable file system. */
const CONFINED = '[ "$(id -u)" != 0 ] && ! touch /commerce-test 2>/dev/null';

/**
 * Subscribes customers, kills a worker and the database meanwhile, makes the PDF of an invoice, and stops all containers.
 * Returns the errors in words.
 */
export async function check(deployment: Deployment, ports: Ports, log: Log): Promise<string[]> {
  for (const service of SERVICES) await deployment.exec(service, 'sh', '-c', CONFINED);
  const { api_key, service_key } = (await deployment.command(
    'company:create',
    '--name',
    'Containers',
  )) as CompanyKeys;
  const url = `http://127.0.0.1:${String(ports.PORT)}`;
  const api = new Client(url, { apiKey: api_key, bearer: service_key });
  const endpoint = await MerchantEndpoint.start(api, undefined, await Receiver.start(HOST_NAME));
  try {
    await sell(api);
    const customers = await Customers.of(api, endpoint);
    const provider = await providerOf(deployment, ports);
    const wrong: string[] = [];
    const step = async (text: string, count: number, disturb?: () => Promise<void>): Promise<void> => {
      const since = performance.now();
      await customers.subscribe(count, disturb);
      wrong.push(...(await customers.settle(provider)));
      log('Check', `${text}: each charged once and told in a signed message, ${elapsed(since)}`);
    };
    await step('a customer', 1);
    for (const service of ['worker', 'mongo'] as const)
      await step(`12 customers while ${service} is killed`, 12, async () => {
        await deployment.kill(service);
        await deployment.untilRecovered(service);
      });
    const unmade = await makeDocument(api, url);
    if (unmade.length === 0) log('Check', 'the PDF of an invoice was made in the image');
    return [...wrong, ...unmade, ...(await stop(deployment, log))];
  } finally {
    await endpoint.stop();
  }
}

/** Stops the containers, which must end by themselves. */
async function stop(deployment: Deployment, log: Log): Promise<string[]> {
  const since = performance.now();
  await deployment.stop();
  log('Stop', `all containers within ${elapsed(since)}`);
  const wrong: string[] = [];
  for (const service of SERVICES)
    if ((await deployment.exitCodes(service)).includes(KILLED))
      wrong.push(`${service} did not end within its grace period`);
  return wrong;
}

/** The sandbox, with the key that API and worker share. */
async function providerOf(
  deployment: Deployment,
  { SANDBOX_PORT }: Ports,
): Promise<{ url: string; secretKey: string }> {
  const text = await deployment.exec('api', 'cat', '/data/sandbox-secrets.json');
  const { stripe_secret_key } = JSON.parse(text) as { stripe_secret_key: string };
  return { url: `http://127.0.0.1:${String(SANDBOX_PORT)}`, secretKey: stripe_secret_key };
}

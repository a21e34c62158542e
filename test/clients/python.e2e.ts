import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { idIn } from '@commerce/testing';

import { readPage } from '../docs/page.js';
import { runCommands } from '../docs/run-commands.js';
import { World } from '../world.js';

const run = promisify(execFile);
const python = spawnSync('python3', ['--version']).status === 0;
if (!python)
  process.stderr.write('Skipped: the tests of the client for Python, because there is no python3.\n');

(python ? describe : describe.skip)('The client for Python', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-python-'));
  const bin = join(folder, 'venv/bin');
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  let world: World;

  beforeAll(async () => {
    world = await World.start();
    await run('python3', ['-m', 'venv', join(folder, 'venv')]);
    await run(join(bin, 'pip'), ['install', '--quiet', './clients/python']);
  }, 300_000);

  afterAll(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has a method for every route', async () => {
    const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, object> };
    const routes = Object.values(document.paths).flatMap((path) => Object.values(path));
    const methods =
      'import commerce_service_client as c; print(*[m for m in vars(c.Commerce) if m[0] != "_"])';
    const { stdout } = await run('python', ['-c', methods], { env });
    const snake = ({ operationId }: { operationId: string }): string =>
      operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(stdout.trim().split(' ').toSorted()).toEqual(routes.map(snake).toSorted());
  });

  it('works as its page describes', async () => {
    const { programs, printed } = readPage('clients/python/README.md');
    for (const [file, code] of programs) writeFileSync(join(folder, file), code);
    const keys = { API: world.baseUrl, API_KEY: world.apiKey, SERVICE_KEY: world.serviceKey };
    const output = await runCommands('python recipe.py', {
      folder,
      env: { ...env, ...keys },
      awaited: printed,
    });
    expect(output).toBe(printed);
  });

  it('raises refusals, and has datetime values', async () => {
    writeFileSync(join(folder, 'refusals_and_dates.py'), REFUSALS_AND_DATES);
    const keys = { API: world.baseUrl, API_KEY: world.apiKey, SERVICE_KEY: world.serviceKey };
    const { stdout } = await run('python', [join(folder, 'refusals_and_dates.py')], {
      env: { ...env, ...keys },
    });
    expect(stdout.trim().split('\n')).toEqual([
      ...['True', 'True', '2030-01-01T00:00:00+00:00', '[]'],
      ...["422 value.invalid ['email']", '401', 'REQUIRES_AUTH 10'],
    ]);
  });

  it('changes the one field that it names', async () => {
    const product = await world.admin.made('/products', {
      ...{ name: 'Tea', price: 10, currency: 'EUR', active: true, discount: 0.25, vat: 0.2 },
      ...{ description: 'Green', short_description: 'G', path: '/tea', default_position: [13.4, 52.5] },
    });
    const resource = await world.admin.made('/resources', {
      ...{ name: 'Van', description: 'White', reference_id: 'V1', tags: ['a'] },
      ...{ method: 'asset', status: 'IDLE' },
    });
    const endpoint = (await world.receiver()).url;
    const webhook = await world.admin.made('/webhooks', {
      ...{ event_type: 'user.created', endpoint, active: false },
    });
    writeFileSync(join(folder, 'one_field.py'), ONE_FIELD);
    const ids = [product, resource, webhook].map(idIn);
    const keys = { API: world.baseUrl, API_KEY: world.apiKey, SERVICE_KEY: world.serviceKey };
    const { stdout } = await run('python', [join(folder, 'one_field.py'), ...ids], {
      env: { ...env, ...keys },
    });
    expect(stdout.trim().split(' ')).toEqual(['200', '200', '200']);
    const read = (path: string, one: any): Promise<any> => world.admin.read(`/${path}/${idIn(one)}`);
    const later = { modified: expect.any(Object), updated: expect.any(Object) };
    const changed = (one: any, change: object): object => {
      const dates = Object.entries(later).filter(([name]) => name in one);
      return { ...one, ...Object.fromEntries(dates), ...change };
    };
    expect(await read('products', product)).toEqual(changed(product, { price: 12, final_price: 9 }));
    expect(await read('resources', resource)).toEqual(changed(resource, { name: 'Bus' }));
    expect(await read('webhooks', webhook)).toMatchObject({
      ...{ active: false, event_type: 'user.updated', endpoint },
    });
  });
});

/** Raises a refusal, and a payment that needs authentication; reads and writes dates as datetime values. */
const REFUSALS_AND_DATES = `
import os
from datetime import datetime, timezone
from commerce_service_client import AuthenticationRequired, Commerce, CommerceProblem, models

commerce = Commerce(os.environ["API"], api_key=os.environ["API_KEY"], bearer=os.environ["SERVICE_KEY"])
frozen = datetime(2030, 1, 31, 12, 30, 15, 123000, tzinfo=timezone.utc)
clock = commerce.test_clocks_create(body=models.CreateTestClockBody(name="Python", frozen_time=frozen))
print(clock.frozen_time == frozen)
print(commerce.test_clocks_get(clock.field_id).frozen_time == frozen)
old = commerce.test_clocks_create(body=models.CreateTestClockBody(frozen_time=1893456000000))
print(old.frozen_time.isoformat())
users = commerce.users_list(from_date=datetime(2100, 1, 1, tzinfo=timezone.utc))
print(users)
try:
    commerce.users_create(body=models.CreateUserBody(name="Ada", email="none"))
except CommerceProblem as problem:
    print(problem.status, problem.code, [error.path for error in problem.errors])
try:
    Commerce(os.environ["API"], api_key=os.environ["API_KEY"], bearer="wrong").users_list()
except CommerceProblem as problem:
    print(problem.status)
user = commerce.users_create(body=models.CreateUserBody(name="Ada")).field_id
empty = commerce.payment_methods_create(body=models.CreatePaymentMethodBody(payment_method="stripe", user=user))
card = commerce.payment_methods_update(
    empty.field_id, body=models.UpdatePaymentMethodBody(payment_method_id="pm_card_authenticationRequired")
)
tea = commerce.products_create(body=models.CreateProductBody(name="Tea", price=10, currency="EUR", active=True))
try:
    commerce.orders_create(
        body=models.CreateOrderBody(
            user=user,
            payment_method=card.field_id,
            off_session=False,
            items=[models.OrderItemBody(product=tea.field_id, quantity=1)],
        )
    )
except AuthenticationRequired as required:
    print(required.payment.status, required.payment.amount)
`;

/** Changes one field each of a product, a resource and a webhook. */
const ONE_FIELD = `
import os, sys
from commerce_service_client import AuthenticatedClient, models
from commerce_service_client.api.products import products_update
from commerce_service_client.api.resources import resources_update
from commerce_service_client.api.webhooks import webhooks_update

client = AuthenticatedClient(
    base_url=os.environ["API"],
    token=os.environ["SERVICE_KEY"],
    headers={"X-Service-Api-Key": os.environ["API_KEY"]},
)
product, resource, webhook = sys.argv[1:]
replies = [
    products_update.sync_detailed(product, client=client, body=models.UpdateProductBody(price=12)),
    resources_update.sync_detailed(resource, client=client, body=models.UpdateResourceBody(name="Bus")),
    webhooks_update.sync_detailed(
        webhook,
        client=client,
        body=models.UpdateWebhookBody(event_type=models.UpdateWebhookBodyEventType("user.updated")),
    ),
]
print(*[int(reply.status_code) for reply in replies])
`;

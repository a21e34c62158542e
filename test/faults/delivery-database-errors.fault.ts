import { eventually, idIn, type Receiver } from '@commerce/testing';

import { ServiceProcesses } from '../processes.js';

let service: ServiceProcesses;
beforeAll(async () => {
  service = await ServiceProcesses.start({ WEBHOOK_RETRY_DELAYS: '200ms,200ms,200ms,200ms' });
}, 90_000);
afterAll(async () => {
  await service.stop();
});

/** Makes the database refuse writes after which a document of the collection would not match. */
async function accepts(collection: string, validator: object): Promise<void> {
  await service.database.db!.command({ collMod: collection, validator });
}

async function listening(): Promise<{ receiver: Receiver; id: string }> {
  const receiver = await service.receiver();
  const made = await service.admin.made('/webhooks', {
    event_type: 'user.created',
    endpoint: receiver.url,
  });
  return { receiver, id: idIn(made) };
}

function isRunning(name: string): boolean {
  const child = service.children.get(name);
  return child?.exitCode === null && child.signalCode === null;
}

describe('A worker whose database refuses a write', () => {
  it('continues when the write concerned the health of a webhook, which is noted the next time', async () => {
    const { receiver, id } = await listening();
    receiver.answers(410);
    await accepts('webhooks', { active: true });
    await service.admin.made('/users', { name: 'Ada' });
    await eventually(
      () => service.admin.read(`/webhooks/${id}/deliveries`, { status: 'DROPPED' }),
      (all: any[]) => all.length === 1,
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(isRunning('worker')).toBe(true);
    expect(await service.admin.read(`/webhooks/${id}`)).toMatchObject({ active: true });
    await accepts('webhooks', {});
    await service.admin.made('/users', { name: 'Grace' });
    const gone = await eventually(
      () => service.admin.read(`/webhooks/${id}`),
      (webhook) => webhook.active === false,
    );
    expect(gone).toMatchObject({ reason: 'endpoint_gone' });
  }, 60_000);

  it('continues when the write concerned the outcome of a delivery, and retries that write as soon as possible', async () => {
    const { receiver, id } = await listening();
    await accepts('deliveries', { status: 'PENDING' });
    await service.admin.made('/users', { name: 'Ada' });
    await receiver.until(() => receiver.messages.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(isRunning('worker')).toBe(true);
    expect(await service.admin.read(`/webhooks/${id}/deliveries`)).toMatchObject([{ status: 'PENDING' }]);
    await accepts('deliveries', {});
    const [delivery] = await eventually(
      () => service.admin.read(`/webhooks/${id}/deliveries`, { status: 'SUCCEEDED' }),
      (all: any[]) => all.length === 1,
    );
    expect(delivery.attempts).toMatchObject([{ number: 1, status: 200 }]);
    expect(receiver.messages).toHaveLength(1);
  }, 60_000);
});

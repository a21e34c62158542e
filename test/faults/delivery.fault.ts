import { eventually, idIn, type Receiver } from '@commerce/testing';

import { ServiceProcesses } from '../processes.js';

let service: ServiceProcesses;
beforeAll(async () => {
  service = await ServiceProcesses.start({ WEBHOOK_RETRY_DELAYS: '1s,1s,1s,1s' });
}, 90_000);
afterAll(async () => {
  await service.stop();
});

interface Hook {
  readonly receiver: Receiver;
  readonly id: string;
}

async function listening(kind = 'user.created'): Promise<Hook> {
  const receiver = await service.receiver();
  const id = idIn(await service.admin.made('/webhooks', { event_type: kind, endpoint: receiver.url }));
  return { receiver, id };
}

/** Discards messages that would still reach the endpoints of earlier tests. */
afterEach(async () => {
  const hooks: any[] = await service.admin.read('/webhooks', { size: 100 });
  for (const hook of hooks) await service.admin.delete(`/webhooks/${idIn(hook)}`);
});

function makeUsers(count: number): Promise<any[]> {
  return Promise.all(Array.from({ length: count }, () => service.admin.made('/users', { name: 'Ada' })));
}

function deliveries({ id }: Hook, wanted: (all: any[]) => boolean, timeoutMs = 40_000): Promise<any[]> {
  return eventually(() => service.admin.read(`/webhooks/${id}/deliveries`, { size: 100 }), wanted, timeoutMs);
}

const done = (count: number) => (all: any[]) =>
  all.length === count && all.every(({ status }) => status !== 'PENDING');

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe('A worker that is killed', () => {
  it('in the middle of a delivery leaves it to be sent again, as the same message', async () => {
    const hook = await listening();
    const { receiver } = hook;
    receiver.answers(() => (receiver.messages.length === 1 ? null : 200));
    await makeUsers(1);
    await receiver.until(() => receiver.messages.length === 1);
    await service.kill('worker');
    await service.run('worker');
    const [delivery] = await deliveries(hook, done(1));
    expect(delivery).toMatchObject({ status: 'SUCCEEDED' });
    expect(delivery.attempts.map((one: any) => [one.number, one.status, one.error])).toEqual([
      [1, null, 'interrupted'],
      [2, 200, null],
    ]);
    const [first, second] = receiver.messages;
    expect(second?.raw.equals(first!.raw)).toBe(true);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['x-service-webhook-retries']).toBe('1');
  }, 90_000);

  it('in every attempt makes five of them, and no more', async () => {
    const hook = await listening();
    const { receiver } = hook;
    receiver.answers(() => null);
    await makeUsers(1);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await receiver.until(() => receiver.messages.length === attempt, 30_000);
      await service.kill('worker');
      await service.run('worker');
    }
    const [delivery] = await deliveries(hook, done(1));
    expect(delivery).toMatchObject({ status: 'EXHAUSTED', reason: 'no_attempt_left' });
    expect(delivery.attempts.map((one: any) => one.error)).toEqual(Array(5).fill('interrupted'));
    await pause(4000);
    expect(receiver.messages).toHaveLength(5);
    expect(receiver.messages.map(({ headers }) => headers['x-service-webhook-retries'])).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
    ]);
  }, 180_000);

  it('while it relays and sends many loses none', async () => {
    const hook = await listening();
    const users = makeUsers(300);
    for (let round = 0; round < 3; round += 1) {
      await pause(400);
      await service.kill('worker');
      await service.run('worker');
    }
    const ids = (await users).map(idIn);
    const { receiver } = hook;
    await receiver.until(
      () => new Set(receiver.messages.map((one) => one.json.object._id)).size >= 300,
      60_000,
    );
    expect(new Set(receiver.messages.map((one) => one.json.object._id))).toEqual(new Set(ids));
    // Repeated sends carry the same message.
    const byId = new Map<string, Set<string>>();
    for (const { json, raw } of receiver.messages) {
      byId.set(json.id, (byId.get(json.id) ?? new Set()).add(raw.toString()));
    }
    expect([...byId.values()].every((bodies) => bodies.size === 1)).toBe(true);
    const log: any[] = [];
    for (;;) {
      const after = log.at(-1)?.id as string | undefined;
      const page: any[] = await service.admin.read('/events', {
        size: 100,
        ...(after === undefined ? {} : { after }),
      });
      if (page.length === 0) break;
      log.push(...page);
    }
    expect(new Set(log.map(({ id }) => id)).size).toBe(log.length);
    for (const id of ids) expect(log.filter(({ object }) => object._id === id)).toHaveLength(1);
  }, 180_000);
});

describe('An API that is killed', () => {
  it('right after a commit leaves an event that is delivered immediately', async () => {
    const hook = await listening();
    // The API's request to the relay is lost with the Redis data.
    await service.kill('worker');
    await makeUsers(1);
    await service.kill('api');
    await service.flushRedis();
    await service.run('worker');
    const started = Date.now();
    await hook.receiver.until(() => hook.receiver.messages.length === 1);
    expect(Date.now() - started).toBeLessThan(2000);
    await service.run('api');
  }, 90_000);
});

describe('Redis', () => {
  it('may lose everything while deliveries wait and run', async () => {
    const hook = await listening();
    const { receiver } = hook;
    // Not ten failures in a row, after which the endpoint would be paused.
    receiver.answers((_, count) => (count % 4 === 0 ? 500 : 200));
    const users = makeUsers(100);
    for (let round = 0; round < 5; round += 1) {
      await service.flushRedis();
      await pause(150);
    }
    const ids = (await users).map(idIn);
    const all = await deliveries(hook, done(100), 90_000);
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['SUCCEEDED']));
    const delivered = new Set(receiver.messages.map((one) => one.json.object._id));
    for (const id of ids) expect(delivered.has(id)).toBe(true);
  }, 120_000);
});

describe('A stalled worker', () => {
  it('past its lease overwrites nothing that another did meanwhile', async () => {
    await service.run('worker', 'second');
    const hook = await listening();
    const { receiver } = hook;
    const open: (() => void)[] = [];
    receiver.answers((_, count) =>
      count <= 2 ? new Promise((resolve) => open.push(() => resolve(200))) : 200,
    );
    await makeUsers(1);
    await receiver.until(() => receiver.messages.length === 1);
    // Stops both workers; one holds the delivery, and the other takes it when the lease expires.
    for (const label of ['worker', 'second']) service.children.get(label)?.kill('SIGSTOP');
    await pause(200);
    service.children.get('second')?.kill('SIGCONT');
    await pause(5000);
    service.children.get('worker')?.kill('SIGCONT');
    for (const answer of open) answer();
    const [delivery] = await deliveries(hook, done(1));
    expect(delivery.status).toBe('SUCCEEDED');
    const numbers = delivery.attempts.map((one: any) => one.number);
    expect(numbers).toEqual(numbers.map((_: unknown, index: number) => index + 1));
    expect(numbers.length).toBeLessThanOrEqual(3);
    expect(delivery.attempts.at(-1)).toMatchObject({ status: 200 });
    await service.kill('second');
  }, 90_000);
});

describe('Several workers', () => {
  it('send each delivery once', async () => {
    await service.run('worker', 'second');
    await service.run('worker', 'third');
    const hook = await listening();
    const { receiver } = hook;
    receiver.answers(async () => {
      await pause(20);
      return 200;
    });
    await makeUsers(150);
    await receiver.until(() => receiver.messages.length >= 150, 60_000);
    await pause(1500);
    expect(receiver.messages).toHaveLength(150);
    expect(new Set(receiver.messages.map((one) => one.json.id)).size).toBe(150);
    const all = await deliveries(hook, (list) => list.every(({ status }) => status === 'SUCCEEDED'));
    expect(all.every(({ attempts }) => attempts.length === 1)).toBe(true);
    await service.kill('second');
    await service.kill('third');
  }, 120_000);
});

describe('A worker that is asked to end', () => {
  it('finishes its running work, returns the waiting jobs, and loses nothing', async () => {
    const hook = await listening();
    const { receiver } = hook;
    receiver.answers(async () => {
      await pause(300);
      return 200;
    });
    await makeUsers(60);
    await receiver.until(() => receiver.messages.length >= 10);
    const worker = service.children.get('worker')!;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const started = Date.now();
    worker.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(Date.now() - started).toBeLessThan(15_000);
    await service.run('worker');
    await deliveries(hook, done(60), 60_000);
    // No delivery was interrupted, so none was sent twice.
    expect(receiver.messages).toHaveLength(60);
  }, 120_000);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { mainOf } from '@commerce/stack';
import { callProvider, eventually, freePort } from '@commerce/testing';
import { noticeReceiver, sandboxInProcess, savedCard, stripeAt } from './sandbox-harness.js';

const MAIN = mainOf('sandbox');
const KEY = 'sk_test_durable';
let directory: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

/** Starts the built sandbox as a separate process, with its journal in `directory`. */
async function spawned(env: Record<string, string> = {}) {
  const port = await freePort();
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      SANDBOX_PORT: String(port),
      DATA_DIR: directory,
      SANDBOX_SETTLE_MS: '200',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${port}`;
  expect(JSON.parse(line.toString())).toMatchObject({ level: 'info', url });
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    const gone = once(child, 'exit');
    child.kill(signal);
    return ((await gone) as [number | null])[0];
  };
  return { url, stripe: stripeAt(port, KEY), end };
}

describe('the journal', () => {
  it('keeps every acknowledged charge through kill -9 under load', async () => {
    const first = await spawned();
    const card = await savedCard(first, 'pm_card_visa');
    const answered = new Map<string, string>();
    let running = true;
    const writers = Array.from({ length: 8 }, async () => {
      while (running) {
        const key = randomUUID();
        const params = { amount: 100, currency: 'eur', ...card, off_session: true, confirm: true } as const;
        const made = await first.stripe.paymentIntents
          .create(params, { idempotencyKey: key })
          .catch(() => undefined);
        if (made !== undefined) answered.set(key, made.id);
      }
    });
    await eventually(() => answered.size > 200);
    await first.end('SIGKILL');
    running = false;
    await Promise.all(writers);

    const second = await spawned();
    const intents = await second.stripe.paymentIntents
      .list({ customer: card.customer, limit: 100 })
      .autoPagingToArray({ limit: 10_000 });
    const kept = new Set(intents.map(({ id }) => id));
    expect([...answered.values()].filter((id) => !kept.has(id))).toEqual([]);
    expect(intents.every(({ status }) => status === 'succeeded')).toBe(true);
    const ledger = await callProvider(
      second.url,
      'GET',
      '/sandbox/ledger',
      { customer: card.customer },
      {
        authorization: `Bearer ${KEY}`,
      },
    );
    expect(ledger.body.currencies.eur).toMatchObject({
      charges: intents.length,
      captured: intents.length * 100,
    });

    const [key, id] = [...answered].at(-1)!;
    const params = { amount: 100, currency: 'eur', ...card, off_session: true, confirm: true } as const;
    expect((await second.stripe.paymentIntents.create(params, { idempotencyKey: key })).id).toBe(id);
    expect(await second.end('SIGTERM')).toBe(0);
  });

  it('removes a torn last line, and continues after it', async () => {
    const first = await sandboxInProcess({ directory });
    const { id } = await first.stripe.customers.create({ name: 'Ada' });
    await first.close();
    const path = join(directory, 'journal.jsonl');
    appendFileSync(path, '{"at":1,"account":"acct_x","put":[{"kind":"cust');
    const second = await sandboxInProcess({ directory });
    const stripe = stripeAt(second.port, first.key);
    expect((await stripe.customers.retrieve(id)).id).toBe(id);
    const later = await stripe.customers.create({ name: 'Bob' });
    await second.close();
    const third = await sandboxInProcess({ directory });
    const names = await stripeAt(third.port, first.key).customers.list();
    expect(names.data.map((each) => each.id)).toEqual([later.id, id]);
    await third.close();
  });

  it('is compacted when old, with the same content as before', async () => {
    let ahead = 0;
    const now = () => Date.now() + ahead;
    const first = await sandboxInProcess({ directory, now });
    const card = await savedCard(first, 'pm_card_visa');
    const { stripe, key } = first;
    for (let n = 0; n < 50; n++)
      await stripe.customers.update(card.customer, { metadata: { round: String(n) } });
    const intent = await stripe.paymentIntents.create({
      amount: 900,
      currency: 'eur',
      ...card,
      confirm: true,
    });
    ahead = 25 * 3_600_000;
    const young = await stripe.customers.create({ name: 'Young' }, { idempotencyKey: 'young' });
    await first.close();
    const path = join(directory, 'journal.jsonl');
    const before = statSync(path).size;

    // The newest 30,000 events are kept, and creating so many would take long; so this reads the journal without events.
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    const changes = lines.flatMap((line) => JSON.parse(line) as [table: string, id: string, row: unknown][]);
    rmSync(path);
    appendFileSync(path, `${JSON.stringify(changes.filter(([table]) => table !== 'events'))}\n`);
    const second = await sandboxInProcess({ directory, now });
    const again = stripeAt(second.port, key);
    expect(statSync(path).size).toBeLessThan(before / 5);
    expect(await again.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'succeeded',
      amount: 900,
    });
    expect(await again.customers.retrieve(card.customer)).toMatchObject({ metadata: { round: '49' } });
    expect((await again.customers.create({ name: 'Young' }, { idempotencyKey: 'young' })).id).toBe(young.id);
    const made = await again.customers.create({ name: 'New' }, { idempotencyKey: 'kept' });
    await second.close();

    const third = await sandboxInProcess({ directory, now });
    const last = stripeAt(third.port, key);
    expect((await last.customers.create({ name: 'New' }, { idempotencyKey: 'kept' })).id).toBe(made.id);
    expect((await last.customers.list()).data.map(({ id }) => id)).toEqual([
      made.id,
      young.id,
      card.customer,
    ]);
    await third.close();
  });
});

describe('an automatic change', () => {
  it('happens after a restart when its time came while the sandbox was away', async () => {
    const first = await spawned();
    const card = await savedCard(first, 'pm_card_fault_late_success');
    const intent = await first.stripe.paymentIntents.create({
      amount: 500,
      currency: 'eur',
      ...card,
      confirm: true,
    });
    expect(intent.status).toBe('processing');
    await first.end('SIGKILL');
    const second = await spawned();
    await eventually(
      async () => (await second.stripe.paymentIntents.retrieve(intent.id)).status === 'succeeded',
    );
  });

  it('is reported after a restart if it could not be reported before', async () => {
    const away = await freePort();
    const env = {
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      SANDBOX_NOTICE_URL: `http://127.0.0.1:${away}/`,
      SANDBOX_NOTICE_RETRY_DELAYS: '1h',
    };
    const first = await spawned(env);
    const card = await savedCard(first, 'pm_card_visa');
    const { id } = await first.stripe.paymentIntents.create({
      amount: 500,
      currency: 'eur',
      ...card,
      confirm: true,
    });
    await first.end('SIGKILL');
    const receiver = await noticeReceiver();
    const second = await spawned({ ...env, SANDBOX_NOTICE_URL: receiver.url });
    await eventually(() => receiver.types().includes('payment_intent.succeeded'));
    expect(
      receiver.received.find(({ event }) => event.type === 'payment_intent.succeeded')?.event.data.object.id,
    ).toBe(id);
    const count = receiver.received.length;
    await eventually(async () =>
      (await second.stripe.events.list({ limit: 100 })).data.every(
        ({ pending_webhooks }) => pending_webhooks === 0,
      ),
    );
    await second.end('SIGKILL');
    await spawned({ ...env, SANDBOX_NOTICE_URL: receiver.url });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(receiver.received).toHaveLength(count);
    await receiver.close();
  });
});

describe('the process', () => {
  it.each([
    [{ SANDBOX_PORT: 'abc' }, 'SANDBOX_PORT'],
    [{ SANDBOX_NOTICE_URL: 'http://127.0.0.1:1/' }, 'STRIPE_WEBHOOK_SECRET'],
  ])('does not start with %j, and names the error', async (env, named) => {
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env.PATH, DATA_DIR: directory, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    expect(JSON.parse(line.toString())).toMatchObject({
      level: 'fatal',
      message: expect.stringContaining(named),
    });
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(1);
  });

  it('ends quickly on SIGTERM although a reply hangs', async () => {
    const running = await spawned();
    const card = await savedCard(running, 'pm_card_fault_timeout_after_charge');
    const hanging = running.stripe.paymentIntents
      .create({ amount: 500, currency: 'eur', ...card, confirm: true })
      .catch(() => undefined);
    await eventually(
      async () => (await running.stripe.charges.list({ customer: card.customer })).data.length === 1,
    );
    const began = Date.now();
    expect(await running.end('SIGTERM')).toBe(0);
    expect(Date.now() - began).toBeLessThan(2_000);
    await hanging;
  });
});

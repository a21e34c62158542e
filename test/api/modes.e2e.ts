import { getConnectionToken } from '@nestjs/mongoose';
import { Keys } from '@commerce/identity';
import { Client } from '@commerce/testing';
import type { Connection } from 'mongoose';
import supertest from 'supertest';

import { SecureSandbox } from '../secure-sandbox.js';
import { World } from '../world.js';
import { Payers, at } from './payers.js';

const STRIPE = { payment_method: 'stripe' };

/** A customer of a company, who tries to save a card. */
async function saving(world: World, mode: 'test' | 'live'): Promise<{ status: number; body: any }> {
  const { admin } = await world.stranger({ mode });
  const user = await admin.made('/users', { name: 'Ada' });
  return admin.post('/payment_methods', { ...STRIPE, user: user._id.$oid });
}

describe('a company', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ worker: false });
  });
  afterAll(() => world.stop());

  it('gets keys of its own mode only', async () => {
    const refused = world.get(Keys).create(world.company, 'api', 'live');
    await expect(refused).rejects.toMatchObject({ code: 'value.invalid' });
  });

  it('is not opened by a key of the other mode that was made before', async () => {
    const { company } = await world.stranger();
    const { key, record } = await world.get(Keys).create(company, 'api', 'test');
    const credentials = world.api.get<Connection>(getConnectionToken()).collection('credentials');
    await credentials.updateOne({ _id: record._id }, { $set: { mode: 'live' } });
    const apiKey = key.replace('_test_', '_live_');
    const answer = await new Client(world.baseUrl, { apiKey }).get('/products');
    expect([answer.status, answer.body.code]).toEqual([401, 'api_key.invalid']);
  });

  it('of either mode is served by the sandbox when no account is set', async () => {
    expect((await saving(world, 'live')).status).toBe(200);
    expect((await saving(world, 'test')).status).toBe(200);
  });
});

describe('a single test account', () => {
  let world: World;
  beforeAll(async () => {
    const env = { STRIPE_SECRET_KEY: '', STRIPE_TEST_SECRET_KEY: 'sk_test_world' };
    world = await World.start({ worker: false, env });
  });
  afterAll(() => world.stop());

  it('serves test companies; a live one learns that it has none', async () => {
    expect((await saving(world, 'test')).status).toBe(200);
    const refused = await saving(world, 'live');
    expect([refused.status, refused.body.code]).toEqual([503, 'provider.not_configured']);
  });
});

describe('two accounts', () => {
  let world: World;
  let secure: SecureSandbox;
  beforeAll(async () => {
    secure = await SecureSandbox.start();
    world = await World.start({
      worker: false,
      env: {
        // Live keys require production mode, which insists on https and on keys that seal.
        NODE_ENV: 'production',
        SECRET_KEYS: '0a'.repeat(32),
        WEBHOOK_ALLOW_PRIVATE: 'false',
        STRIPE_API_BASE: secure.url,
        STRIPE_SECRET_KEY: 'sk_live_world',
        STRIPE_WEBHOOK_SECRET: 'whsec_live',
        STRIPE_TEST_SECRET_KEY: 'sk_test_world',
        STRIPE_TEST_WEBHOOK_SECRET: 'whsec_test',
      },
    });
    secure.target = world.sandbox.url;
  });
  afterAll(async () => {
    await world.stop();
    secure.stop();
  });

  it('are each used for the companies of its mode', async () => {
    expect((await saving(world, 'test')).status).toBe(200);
    // The sandbox accepts only test keys, so this is the live account's answer.
    const refused = await saving(world, 'live');
    expect([refused.status, refused.body.code]).toEqual([503, 'provider.unavailable']);
  });

  it('have their webhooks verified by their own secrets, and settle only their own payments', async () => {
    const payers = new Payers(world);
    const payment = await payers.charged(await payers.payer('pm_card_authenticationRequired'));
    await payers.approve(payment);
    const object = { object: 'payment_intent', id: payment.provider.intent_id };
    const post = async (id: string, secret: string): Promise<number> => {
      const payload = JSON.stringify({
        id,
        object: 'event',
        type: 'payment_intent.succeeded',
        data: { object },
      });
      const { status } = await supertest(world.baseUrl)
        .post('/provider_notices/stripe')
        .set('Content-Type', 'application/json')
        .set('Stripe-Signature', payers.stripe.webhooks.generateTestHeaderString({ payload, secret }))
        .send(payload);
      return status;
    };
    expect(await post('evt_1', 'whsec_other')).toBe(400);
    expect(await post('evt_2', 'whsec_live')).toBe(200);
    expect(await world.admin.read(at(payment))).toMatchObject({ status: 'REQUIRES_AUTH' });
    expect(await post('evt_3', 'whsec_test')).toBe(200);
    expect(await world.admin.read(at(payment))).toMatchObject({ status: 'SUCCEEDED' });
  });
});

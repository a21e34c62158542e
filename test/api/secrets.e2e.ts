import { getConnectionToken } from '@nestjs/mongoose';
import { SigningKeys, Tokens } from '@commerce/identity';
import { PaymentStore } from '@commerce/payments';
import { eventually, idIn } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { World } from '../world.js';
import { Payers, at } from './payers.js';

let world: World;
let payers: Payers;
let database: Connection;

beforeAll(async () => {
  world = await World.start();
  payers = new Payers(world);
  database = world.api.get<Connection>(getConnectionToken());
});
afterAll(() => world.stop());

/** The content of the whole database as text. */
async function dump(): Promise<string> {
  const collections = await database.db!.collections();
  const rows = await Promise.all(collections.map((collection) => collection.find({}).toArray()));
  return JSON.stringify(rows);
}

describe('the database', () => {
  it('holds no secret in the clear, and permitted callers see it', async () => {
    const { receiver } = await world.listening('payment.requires_auth');
    const payer = await payers.payer('pm_card_authenticationRequired');
    const once = payer.client.with({ 'Idempotency-Key': 'card' });
    const made = await once.made('/payment_methods', { payment_method: 'stripe' });
    const again = await once.made('/payment_methods', { payment_method: 'stripe' });
    const payment = await payers.charged(payer);
    const shown = (await payer.client.get(at(payment))).body.metadata.intent_client_secret;
    const received = await eventually(
      () => receiver.received.filter(({ headers }) => headers['x-service-webhook-type'] === 'WebhookMessage'),
      (requests) => requests.length > 0,
    );
    const logged = await world.admin.read('/events?kind=payment.requires_auth');

    const setup = made.setup_intent.client_secret;
    expect([setup, again.setup_intent.client_secret]).toEqual([expect.stringMatching(/_secret_/), setup]);
    expect(shown).toMatch(/_secret_/);
    expect(received[0]?.json.object.metadata.intent_client_secret).toBe(shown);
    expect(logged[0].object.metadata.intent_client_secret).toBe(shown);
    const stored = await dump();
    for (const secret of ['_secret_', setup, shown, '"d":', '/pay/']) expect(stored).not.toContain(secret);
  });

  it('opens a secret in its own place only', async () => {
    const [one, other] = [
      await payers.charged(await payers.payer('pm_card_authenticationRequired')),
      await payers.charged(await payers.payer('pm_card_authenticationRequired')),
    ];
    const rows = database.collection('payments');
    const row = await rows.findOne({ _id: one._id });
    await rows.updateOne({ _id: other._id }, { $set: { client_secret: row?.['client_secret'] } });
    await expect(world.get(PaymentStore).in(world.company).get(other._id)).rejects.toThrow();
    await rows.updateOne({ _id: other._id }, { $set: { client_secret: null } });
  });
});

describe('the keys that sign tokens', () => {
  const rows = (): ReturnType<Connection['collection']> => database.collection('signing_keys');

  it('exclude a key that an attacker wrote into the database', async () => {
    await world.user();
    const planted = { kty: 'OKP', crv: 'Ed25519', d: 'x', x: 'y' };
    await rows().insertOne({ private_jwk: JSON.stringify(planted), created: new Date(), sys: {} });
    expect(await world.get(SigningKeys).published()).toMatchObject({ keys: [{ kty: 'OKP' }] });
    await rows().deleteOne({ private_jwk: JSON.stringify(planted) });
  });

  it('are all replaced in an emergency: no token of before is good', async () => {
    const { id, client } = await world.user();
    expect((await client.get(`/users/${id}`)).status).toBe(200);
    expect(await world.get(SigningKeys).replaceAll()).toBeGreaterThan(0);
    expect((await client.get(`/users/${id}`)).status).toBe(401);
    expect(await rows().countDocuments({})).toBe(1);
    expect((await (await world.user()).client.get('/payments')).status).toBe(200);
  });

  it('are deleted when the last token that they signed has expired', async () => {
    const keys = world.get(SigningKeys);
    const user = await world.user();
    const { keys: before } = await keys.published();
    const age = (days: number): Promise<unknown> =>
      rows().updateMany({}, { $set: { created: new Date(Date.now() - days * 86_400_000) } });
    await age(31);
    await world.get(Tokens).issueTo(world.company, user.id);
    await keys.removeExpired();
    const { keys: both } = await keys.published();
    expect(both.map(({ kid }) => kid)).toContain(before[0]?.kid);
    await age(10);
    await keys.removeExpired();
    expect(await rows().countDocuments({})).toBe(1);
    expect(idIn(user.record)).toBe(user.id);
  });
});

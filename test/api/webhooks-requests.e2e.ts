import { getConnectionToken } from '@nestjs/mongoose';
import { eventually, idIn, type Receiver } from '@commerce/testing';
import { Types, type Connection } from 'mongoose';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ env: { WEBHOOK_RETRY_DELAYS: '100ms,100ms' } });
});
afterAll(() => world.stop());

const rows = (name: string): ReturnType<Connection['collection']> =>
  world.api.get<Connection>(getConnectionToken()).collection(name);

/** The newest delivery of the webhook, once it has ended. */
async function ended(webhook: string): Promise<any> {
  const [delivery] = await eventually(
    () => world.admin.read(`/webhooks/${webhook}/deliveries`),
    ([first]: any[]) => first !== undefined && first.status !== 'PENDING',
  );
  return delivery;
}

const requestOf = (delivery: any): Promise<any> => world.admin.read(`/deliveries/${idIn(delivery)}/request`);

/** Headers that HTTP itself adds. */
const HTTP = ['host', 'connection', 'content-length'];

/** The last request that the receiver got, in the form that the service should show. */
function received(receiver: Receiver): { url: string; headers: [string, unknown][]; body: Buffer } {
  const { path, headers, raw } = receiver.messages.at(-1)!;
  const sent = Object.entries(headers).filter(([name]) => !HTTP.includes(name));
  return { url: `${receiver.url}${path}`, headers: sent.sort(), body: raw };
}

function shown({ url, headers, body }: any): ReturnType<typeof received> {
  const sent = headers.map(({ name, value }: any): [string, string] => [name.toLowerCase(), value]);
  // A URL without a path requests the root.
  return { url: new URL(url as string).href, headers: sent.sort(), body: Buffer.from(body, 'utf8') };
}

const names = ({ headers }: any): string => headers.map(({ name }: any) => name).join();

describe('GET /deliveries/<id>/request', () => {
  it('shows the request that the endpoint got, byte for byte, and never the secret', async () => {
    const { receiver, id, webhook } = await world.listening('user.created', '/hook?a=1');
    await world.user({ name: 'Zoë ✓' });
    const request = await requestOf(await ended(id));
    expect(request).toMatchObject({ attempt: 1, method: 'POST', unsigned: null });
    expect(shown(request)).toEqual(received(receiver));
    expect(JSON.stringify(request)).not.toContain(webhook.secret);
    expect(JSON.stringify(request)).not.toContain(webhook.signing_secret);
    await world.admin.delete(`/webhooks/${id}`);
  });

  it('has the header names of the time when the webhook was made', async () => {
    const receiver = await world.receiver();
    const old = world.admin.with({ 'X-Service-Version': '2019-02-01' });
    const webhook = await old.made('/webhooks', { event_type: 'user.created', endpoint: receiver.url });
    await world.user();
    const request = await requestOf(await ended(idIn(webhook)));
    expect(names(request)).toContain('X-Service-Event-Signature');
    expect(shown(request)).toEqual(received(receiver));
    await world.admin.delete(`/webhooks/${idIn(webhook)}`);
  });

  it('is that of the last attempt, after retries, a second try by hand and a replay', async () => {
    const { receiver, id } = await world.listening();
    receiver.answers((_, count) => (count < 4 ? 500 : 200));
    await world.user();
    const delivery = await ended(id);
    expect(await requestOf(delivery)).toMatchObject({ attempt: 3, unsigned: null });
    expect(shown(await requestOf(delivery))).toEqual(received(receiver));
    await world.admin.made(`/deliveries/${idIn(delivery)}/retry`);
    await eventually(
      () => requestOf(delivery),
      ({ attempt }) => attempt === 4,
    );
    expect(shown(await requestOf(delivery))).toEqual(received(receiver));
    await world.admin.made(`/events/${delivery.event.$oid}/replay`);
    await eventually(
      () => requestOf(delivery),
      ({ attempt }) => attempt === 5,
    );
    expect(shown(await requestOf(delivery))).toEqual(received(receiver));
    await world.admin.delete(`/webhooks/${id}`);
  });

  it('has both signatures for a day after a rotation, and none once the secret is gone', async () => {
    const { receiver, id } = await world.listening();
    await world.admin.made(`/webhooks/${id}/rotate_secret`);
    // Backdates the rotation, because a worker that reads at the same instant may use either secret.
    const _id = new Types.ObjectId(id);
    const row = await rows('webhooks').findOne({ _id });
    const earlier = new Date(Number(row!['secrets'].previous_until) - 5000);
    await rows('webhooks').updateOne({ _id }, { $set: { 'secrets.previous_until': earlier } });
    await world.user();
    const delivery = await ended(id);
    const signed = await requestOf(delivery);
    expect(signed.headers.find(({ name }: any) => name === 'webhook-signature').value).toMatch(/^v1,\S+ v1,/);
    expect(shown(signed)).toEqual(received(receiver));
    await world.admin.made(`/webhooks/${id}/rotate_secret`);
    const unsigned = await requestOf(delivery);
    expect(unsigned).toMatchObject({ attempt: 1, unsigned: 'secret_rotated', body: signed.body });
    expect(unsigned.headers).toEqual(signed.headers.filter(({ name }: any) => !/signature/i.test(name)));
    await world.admin.delete(`/webhooks/${id}`);
  });

  it("is the first attempt's coming request when there was none", async () => {
    const { receiver, id } = await world.listening();
    await world.user();
    const delivery = await ended(id);
    await rows('deliveries').updateOne(
      { _id: new Types.ObjectId(idIn(delivery)) },
      { $set: { attempts: [], attempt: 0, recorded: 0 } },
    );
    const request = await requestOf(delivery);
    expect(request).toMatchObject({ attempt: null, unsigned: 'not_sent' });
    expect(Buffer.from(request.body)).toEqual(receiver.messages.at(-1)!.raw);
    expect(names(request)).not.toMatch(/signature|timestamp/i);
    await world.admin.delete(`/webhooks/${id}`);
  });

  it("is for admins of the company, and ends with its event's time", async () => {
    const { id } = await world.listening();
    const { client } = await world.user();
    const delivery = await ended(id);
    const path = `/deliveries/${idIn(delivery)}/request`;
    const stranger = await world.stranger();
    expect((await client.get(path)).status).toBe(403);
    expect((await stranger.admin.get(path)).body.code).toBe('delivery.not_found');
    await rows('events').deleteOne({ _id: new Types.ObjectId(delivery.event.$oid as string) });
    const { status, body } = await world.admin.get(path);
    expect([status, body.code]).toEqual([404, 'event.not_found']);
  });
});

import { getConnectionToken } from '@nestjs/mongoose';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Keys, Users, Tokens } from '@commerce/identity';
import { Client } from '@commerce/testing';
import { SignJWT, generateKeyPair } from 'jose';
import type { Connection } from 'mongoose';

import { createApi } from '../../apps/api/src/create-api.js';
import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(async () => {
  await world.stop();
});

describe('Authentication', () => {
  it('refuses a request without an API key', async () => {
    const response = await new Client(world.baseUrl, { apiKey: '', bearer: world.serviceKey }).get('/users');
    expect(response.status).toBe(401);
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.body).toMatchObject({
      status: 401,
      code: 'api_key.missing',
      type: 'urn:problem:api_key.missing',
    });
    expect(response.body.request_id).toBe(response.headers['x-request-id']);
  });

  it('gives the same reply to a wrong secret, an unknown key and a key of the other kind', async () => {
    const wrong = `${world.apiKey.slice(0, -1)}${world.apiKey.endsWith('0') ? '1' : '0'}`;
    const unknown = world.apiKey.replace(/_[0-9a-f]{24}_/, `_${'a'.repeat(24)}_`);
    for (const apiKey of [wrong, unknown, world.serviceKey, 'pk_test_', 'x'.repeat(5000)]) {
      const response = await new Client(world.baseUrl, { apiKey, bearer: world.serviceKey }).get('/users');
      expect(response.status).toBe(401);
      expect(response.body.code).toBe('api_key.invalid');
    }
  });

  it('refuses a service key of another company', async () => {
    const stranger = await world.stranger();
    const response = await new Client(world.baseUrl, {
      apiKey: world.apiKey,
      bearer: stranger.serviceKey,
    }).get('/users');
    expect(response.status).toBe(401);
    expect(response.body.code).toBe('credentials.invalid');
  });

  it('refuses a revoked key within five seconds', async () => {
    const { key, record } = await world.get(Keys).create(world.company, 'api', 'test');
    const caller = new Client(world.baseUrl, { apiKey: key, bearer: world.serviceKey });
    expect((await caller.get('/users')).status).toBe(200);
    await world.get(Keys).revoke(world.company, record._id.toHexString());
    expect((await caller.get('/users')).status).toBe(401);
  });

  it('lets a user see itself and nobody else', async () => {
    const ada = await world.user({ name: 'Ada' });
    const bob = await world.user({ name: 'Bob' });
    expect((await ada.client.get(`/users/${ada.id}`)).body.name).toBe('Ada');
    expect((await ada.client.get(`/users/${bob.id}`)).status).toBe(404);
    expect((await ada.client.get('/users')).status).toBe(403);
    expect((await ada.client.put(`/users/${ada.id}`, { name: 'Ada L.' })).body.name).toBe('Ada L.');
  });

  it('refuses the token of a deleted user', async () => {
    const eve = await world.user({ name: 'Eve' });
    expect((await eve.client.get(`/users/${eve.id}`)).status).toBe(200);
    expect((await world.admin.delete(`/users/${eve.id}`)).body.deleted).toBe(true);
    expect((await eve.client.get(`/users/${eve.id}`)).status).toBe(401);
  });

  it('refuses forged, foreign and unsigned tokens alike', async () => {
    const ada = await world.user();
    const claims = { company: world.company.toHexString() };
    const { privateKey } = await generateKeyPair('EdDSA');
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid: '../../etc/passwd' })
      .setSubject(ada.id)
      .setIssuer('commerce-service')
      .setAudience('commerce-api')
      .setIssuedAt()
      .setJti('x')
      .setExpirationTime('5m')
      .sign(privateKey);
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${part({ alg: 'none' })}.${part({ ...claims, sub: ada.id, exp: 9999999999 })}.`;
    for (const token of [forged, unsigned, 'a.b.c', 'x'.repeat(8000)]) {
      const response = await world.anonymous.as(token).get(`/users/${ada.id}`);
      expect(response.status).toBe(401);
      expect(response.body.code).toBe('credentials.invalid');
    }
  });

  it('publishes the keys by which its tokens can be checked', async () => {
    const user = await world.get(Users).create(
      { company: world.company, mode: 'test' },
      {
        name: null,
        email: null,
        external_reference: null,
        timezone: null,
        metadata: null,
        billing: null,
        test_clock: null,
      },
    );
    await world.get(Tokens).issue(user);
    const response = await new Client(world.baseUrl, { apiKey: '' }).get('/.well-known/jwks.json');
    expect(response.status).toBe(200);
    expect(response.body.keys[0]).toMatchObject({ kty: 'OKP', alg: 'EdDSA', use: 'sig' });
    expect(JSON.stringify(response.body)).not.toContain('"d"');
  });

  describe('right after a start', () => {
    let fresh: NestExpressApplication;
    let url: string;
    beforeEach(async () => {
      fresh = await createApi();
      await fresh.listen(0, '127.0.0.1');
      url = (await fresh.getUrl()).replace('[::1]', '127.0.0.1');
    });
    afterEach(() => fresh.close());

    it('lets all tokens in that are good, and shows all keys', async () => {
      const { id } = await world.user();
      const { access_token: token } = await world.get(Tokens).issueTo(world.company, id);
      const many = Array.from({ length: 10 });
      const answers = await Promise.all(
        many.flatMap(() => [
          new Client(url, { apiKey: world.apiKey, bearer: token }).get(`/users/${id}`),
          new Client(url, { apiKey: '' }).get('/.well-known/jwks.json'),
        ]),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const sets = answers.filter(({ body }) => 'keys' in body).map(({ body }) => body.keys.length);
      expect(Math.min(...sets)).toBeGreaterThan(0);
    });

    it('replies with 503 to a token that it cannot check without the database', async () => {
      const { id } = await world.user();
      const { access_token: token } = await world.get(Tokens).issueTo(world.company, id);
      const client = new Client(url, { apiKey: world.apiKey, bearer: token });
      // The process now knows the API key, but not the token keys.
      expect((await client.as('').get('/products')).status).toBe(200);
      await fresh.get<Connection>(getConnectionToken()).close();
      const answer = await client.get(`/users/${id}`);
      expect([answer.status, answer.body.code]).toEqual([503, 'service.unavailable']);
    });
  });
});

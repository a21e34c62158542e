import { Keys, Users, Tokens } from '@commerce/identity';
import { Client } from '@commerce/testing';
import { SignJWT, generateKeyPair } from 'jose';

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

  it('gives the same answer to a wrong secret, an unknown key and a key of the other kind', async () => {
    const wrong = `${world.apiKey.slice(0, -1)}${world.apiKey.endsWith('0') ? '1' : '0'}`;
    const unknown = world.apiKey.replace(/_[0-9a-f]{24}_/, `_${'a'.repeat(24)}_`);
    for (const apiKey of [wrong, unknown, world.serviceKey, 'pk_test_', 'x'.repeat(5000)]) {
      const response = await new Client(world.baseUrl, { apiKey, bearer: world.serviceKey }).get('/users');
      expect(response.status).toBe(401);
      expect(response.body.code).toBe('api_key.invalid');
    }
  });

  it('refuses a service account key of another company', async () => {
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
        test_clock: null,
      },
    );
    await world.get(Tokens).issue(user);
    const response = await new Client(world.baseUrl, { apiKey: '' }).get('/.well-known/jwks.json');
    expect(response.status).toBe(200);
    expect(response.body.keys[0]).toMatchObject({ kty: 'OKP', alg: 'EdDSA', use: 'sig' });
    expect(JSON.stringify(response.body)).not.toContain('"d"');
  });
});

describe('Errors', () => {
  it('tells a wrong method from a wrong path', async () => {
    const wrong = await world.admin.delete('/users');
    expect([wrong.status, wrong.headers['allow'], wrong.body.code]).toEqual([
      405,
      'GET, POST',
      'method.not_allowed',
    ]);
    expect((await world.admin.get('/nothing')).body).toMatchObject({ status: 404, code: 'path.not_found' });
  });

  it('names every bad field, the unknown ones too', async () => {
    const response = await world.admin.post('/users', { name: 7, email: 'no', company: 'x', _id: 'y' });
    expect(response.status).toBe(422);
    expect(response.body.errors.map((one: any) => one.path).sort()).toEqual([
      '_id',
      'company',
      'email',
      'name',
    ]);
  });

  it.each([
    ['half a surrogate pair', '{"name":"\\ud800"}', 422],
    ['NUL', '{"name":"a\\u0000b"}', 422],
    ['infinity', '{"metadata":{"n":1e400}}', 422],
    ['too deep a nesting', `{"metadata":${'['.repeat(40)}${']'.repeat(40)}}`, 422],
    ['a very deep nesting', `{"metadata":${'['.repeat(40_000)}${']'.repeat(40_000)}}`, 422],
    ['trailing junk', '{"name":"a"} x', 400],
    ['half a document', '{"name":', 400],
    ['a list', '[]', 422],
    ['a number', '7', 422],
    ['more than 100 KiB', JSON.stringify({ name: 'x'.repeat(110_000) }), 413],
  ])('answers a body with %s by a problem document', async (_what, body, status) => {
    const response = await fetch(`${world.baseUrl}/users`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-api-key': world.apiKey,
        authorization: `Bearer ${world.serviceKey}`,
      },
      body,
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status });
  });

  it('refuses bodies that are not JSON', async () => {
    const response = await fetch(`${world.baseUrl}/users`, {
      method: 'POST',
      headers: {
        'content-type': 'text/plain',
        'x-service-api-key': world.apiKey,
        authorization: `Bearer ${world.serviceKey}`,
      },
      body: 'name=Ada',
    });
    expect(response.status).toBe(415);
  });
});

describe('POST /users', () => {
  it('keeps free metadata byte for byte', async () => {
    const metadata = JSON.parse(
      '{"__proto__":{"x":1},"constructor":"c","$gt":1,"a.b":{"$date":5,"$oid":"x"},"toString":null}',
    );
    const user = await world.admin.made('/users', { name: 'Free', metadata });
    const read = await world.admin.get(`/users/${user._id.$oid}`);
    expect(read.text).toContain(JSON.stringify(metadata));
    expect(({} as any).x).toBeUndefined();
  });

  it('takes an email once per company, whatever its case', async () => {
    await world.admin.made('/users', { email: 'Ann@example.com' });
    const second = await world.admin.post('/users', { email: 'ann@Example.com' });
    expect([second.status, second.body.code, second.body.errors[0].path]).toEqual([
      409,
      'user.email_taken',
      'email',
    ]);
    const stranger = await world.stranger();
    expect((await stranger.admin.post('/users', { email: 'ann@example.com' })).status).toBe(200);
  });

  it('gives an email free when its user changes it or is deleted', async () => {
    const { _id } = await world.admin.made('/users', { email: 'free@example.com' });
    expect((await world.admin.put(`/users/${_id.$oid}`, { email: 'other@example.com' })).status).toBe(200);
    const second = await world.admin.made('/users', { email: 'free@example.com' });
    expect((await world.admin.delete(`/users/${second._id.$oid}`)).status).toBe(200);
    await world.admin.made('/users', { email: 'FREE@example.com' });
    expect((await world.admin.post('/users', { email: 'other@example.com' })).status).toBe(409);
  });
});

describe('Idempotency-Key', () => {
  const count = async (): Promise<number> =>
    Number((await world.admin.get('/users')).headers['x-total-count']);

  it('gives the second request the answer of the first', async () => {
    const before = await count();
    const caller = world.admin.with({ 'Idempotency-Key': 'same' });
    const first = await caller.post('/users', { name: 'Once' });
    const second = await caller.post('/users', { name: 'Once' });
    expect(second.body).toEqual(first.body);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await count()).toBe(before + 1);
  });

  it('refuses another body under the same key', async () => {
    const caller = world.admin.with({ 'Idempotency-Key': 'other-body' });
    await caller.made('/users', { name: 'A' });
    expect((await caller.post('/users', { name: 'B' })).body).toMatchObject({
      status: 422,
      code: 'idempotency_key.reused',
    });
  });

  it('has one effect when twenty requests come at once', async () => {
    const before = await count();
    const caller = world.admin.with({ 'Idempotency-Key': 'parallel' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => caller.post('/users', { name: 'P' })));
    const statuses = new Set(answers.map((answer) => answer.status));
    expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true);
    expect(
      new Set(answers.filter((answer) => answer.status === 200).map((answer) => answer.body._id.$oid)).size,
    ).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  it('lets a repaired request use the key again', async () => {
    const caller = world.admin.with({ 'Idempotency-Key': 'repaired' });
    expect((await caller.post('/users', { email: 'bad' })).status).toBe(422);
    expect((await caller.post('/users', { name: 'Good' })).status).toBe(200);
  });
});

describe('X-Service-Version', () => {
  it.each([
    ['2019-02-01', '2019-02-01'],
    ['2019-08-20', '2019-08-15'],
    ['2019-09-10', '2019-09-02'],
    ['2024-01-01', '2019-09-18'],
  ])('resolves %s to %s', async (asked, resolved) => {
    const response = await world.admin.with({ 'X-Service-Version': asked }).get('/users');
    expect(response.headers['x-service-version']).toBe(resolved);
  });

  it.each(['2019-01-31', '2999-01-01', '2019-02-30', 'yesterday'])('refuses %s', async (asked) => {
    const response = await world.admin.with({ 'X-Service-Version': asked }).get('/users');
    expect([response.status, response.body.code]).toEqual([400, 'version.invalid']);
  });
});

describe('Lists', () => {
  it.each([
    'size=0',
    'size=101',
    'size=abc',
    'page=-1',
    'size=1&size=2',
    'sort=$where',
    'sort=--name',
    'foo=1',
    'from_date=x',
  ])('refuse ?%s', async (query) => {
    const response = await world.admin.get(`/users?${query}`);
    expect(response.status).toBe(422);
    expect(response.body.errors[0].path).toBe(query.split('=')[0]);
  });

  it('are empty beyond the end, and say where they stand', async () => {
    const response = await world.admin.get('/users', { size: 2, page: 900 });
    expect(response.body).toEqual([]);
    const first = await world.admin.get('/users', { size: 2 });
    expect(first.body).toHaveLength(2);
    expect(first.headers['link']).toContain('rel="next"');
    expect(first.headers['link']).toContain('rel="last"');
  });

  it('go on after a record without drifting', async () => {
    const seen: string[] = [];
    let after: string | undefined;
    for (;;) {
      const response = await world.admin.get('/users', {
        size: 3,
        sort: 'created',
        ...(after === undefined ? {} : { after }),
      });
      seen.push(...response.body.map((one: any) => one._id.$oid));
      if (response.body.length < 3) break;
      after = seen.at(-1);
    }
    const total = Number((await world.admin.get('/users')).headers['x-total-count']);
    expect(new Set(seen).size).toBe(total);
    expect(seen).toHaveLength(total);
  });
});

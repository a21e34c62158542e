import { readFileSync } from 'node:fs';

import { DocumentedCaller, type Call } from '../documented-caller.js';
import { World } from '../world.js';

const document: any = JSON.parse(readFileSync('openapi.json', 'utf8'));
const UNKNOWN = '0'.repeat(24);

let world: World;
let caller: DocumentedCaller;
let admin: Record<string, string>;
let user: Record<string, string>;
beforeAll(async () => {
  const env = { RATE_LIMIT_PER_SECOND: '1000', RATE_LIMIT_BURST: '5000' };
  world = await World.start({ worker: false, env });
  caller = new DocumentedCaller(document, world.baseUrl);
  const { client } = await world.user();
  admin = { 'x-service-api-key': world.apiKey, authorization: `Bearer ${world.serviceKey}` };
  user = { ...admin, authorization: `Bearer ${String(client.credentials.bearer)}` };
});
afterAll(() => world.stop());

interface Route {
  readonly method: Call['method'];
  readonly path: string;
  readonly operation: any;
}

/** Every route, with ids that do not exist. */
const ROUTES: Route[] = Object.entries<Record<string, any>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    method: method as Call['method'],
    path: path.replaceAll('{id}', UNKNOWN),
    operation,
  })),
);

const needs = ({ operation }: Route, scheme: string): boolean =>
  operation.security.length > 0 && operation.security.every((one: object) => scheme in one);

/** The distinct statuses with which routes answer a call. */
async function statusesOf(routes: readonly Route[], call: Partial<Call>): Promise<number[]> {
  const statuses = new Set<number>();
  for (const { method, path } of routes) {
    const { body, ...rest } = call;
    const carried = body === undefined || method === 'get' ? {} : { body };
    statuses.add((await caller.call({ method, path, ...carried, ...rest })).status);
  }
  return [...statuses].sort((a, b) => a - b);
}

describe('Refusals match openapi.json', () => {
  afterEach(() => {
    expect(caller.undocumented.splice(0)).toEqual([]);
  });

  it('without credentials', async () => {
    const closed = ROUTES.filter((route) => needs(route, 'api_key'));
    expect(closed.length).toBeGreaterThan(70);
    expect(await statusesOf(closed, {})).toEqual([401]);
    const authorized = closed.filter(({ operation }) => operation.responses['401'] && !isPublic(operation));
    expect(await statusesOf(authorized, { headers: { 'x-service-api-key': world.apiKey } })).toEqual([401]);
  });

  it('to users, of routes for admins', async () => {
    const forAdmins = ROUTES.filter((route) => needs(route, 'service_key'));
    expect(forAdmins.length).toBeGreaterThan(40);
    expect(await statusesOf(forAdmins, { headers: user })).toEqual([403]);
  });

  it('of unknown ids', async () => {
    const reads = ROUTES.filter(({ method, path }) => method === 'get' && path.includes(UNKNOWN));
    expect(await statusesOf(reads, { headers: admin })).toEqual([404]);
    const writes = ROUTES.filter(({ method, path }) => method !== 'get' && path.includes(UNKNOWN));
    expect(await statusesOf(writes, { headers: admin })).toEqual([404, 422]);
  });

  it('of versions that do not exist', async () => {
    expect(await statusesOf(ROUTES, { headers: { ...admin, 'x-service-version': 'x' } })).toEqual([400]);
  });

  it.each([
    ['a list', [], [404, 422]],
    ['null', null, [404, 422]],
    ['an unknown field', { no_such_field: 1 }, [404, 422]],
    ['NUL', { name: '\0' }, [422]],
  ])('of a body with %s', async (_what, body, statuses) => {
    const content = ({ operation }: Route): any => operation.requestBody?.content['application/json'];
    const writes = ROUTES.filter((route) => content(route)?.schema.$ref !== undefined);
    expect(writes.length).toBeGreaterThan(25);
    const answered = await statusesOf(writes, { headers: admin, body });
    expect(answered.filter((status) => !statuses.includes(status))).toEqual([]);
  });

  it('of bodies of another type, or too large', async () => {
    const writes = ROUTES.filter(({ method }) => method !== 'get');
    const text = { ...admin, 'content-type': 'text/plain' };
    expect(await statusesOf(writes, { headers: text, body: 'x' })).toEqual([415]);
    const large = { name: 'x'.repeat(1_100_000) };
    const notImages = writes.filter(({ path }) => path !== '/images');
    expect(await statusesOf(notImages, { headers: admin, body: large })).toEqual([413]);
  });

  it('of query parameters that do not exist', async () => {
    const keyed = ROUTES.filter((route) => needs(route, 'api_key'));
    for (const { method, path } of keyed) {
      const { status, body } = await caller.call({
        method,
        path: `${path}?no_such_parameter=1`,
        headers: admin,
      });
      const named = body.errors?.some((one: any) => one.path === 'no_such_parameter');
      expect([path, status, named]).toEqual([path, 422, true]);
    }
  });

  it('of a body on a route without one', async () => {
    const bare = ROUTES.filter(
      (route) =>
        route.method !== 'get' && needs(route, 'api_key') && route.operation.requestBody === undefined,
    );
    expect(bare.length).toBeGreaterThan(15);
    for (const { method, path } of bare) {
      const call = { method, path, headers: admin };
      const { status, body } = await caller.call({ ...call, body: { no_such_field: 1 } });
      expect([path, status, body.errors]).toEqual([
        path,
        422,
        [expect.objectContaining({ path: 'no_such_field', code: 'field.unknown' })],
      ]);
      expect((await caller.call({ ...call, body: [] })).status).toBe(422);
      // An empty object carries no fields: the route answers as it does without a body.
      const [empty, absent] = [await caller.call({ ...call, body: {} }), await caller.call(call)];
      expect([path, empty.status]).toEqual([path, absent.status]);
    }
  });
});

/** True when the API key alone suffices. */
function isPublic({ security }: { security: object[] }): boolean {
  return security.some((one) => Object.keys(one).join() === 'api_key');
}

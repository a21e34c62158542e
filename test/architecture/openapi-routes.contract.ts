import { fieldsOf, parseBody, type FieldedClass } from '@commerce/records';

import { notesOf } from '../../apps/api/src/http/route-notes.js';
import { openApiDocument } from '../../apps/api/src/openapi/document.js';
import type { Route } from '../../apps/api/src/openapi/operations.js';
import { previewApi } from '../../apps/api/src/openapi/preview.js';
import { routesOf } from '../../apps/api/src/openapi/routes.js';
import { TAGS } from '../../apps/api/src/openapi/tags.js';

let document: any;
let routes: readonly Route[];
beforeAll(async () => {
  const app = await previewApi();
  document = openApiDocument(app);
  routes = routesOf(app);
});

/** A route that also admits users may still restrict some inputs to admins. */
const mayForbid = ({ notes }: Route): boolean =>
  notes.access === 'admin' ||
  ['role.forbidden', 'customer.not_allowed'].some((code) => notes.faults?.includes(code) === true);

/** The successful reply of a route, which it may share with others. */
function reply(route: Route): any {
  const given = operation(route).responses['200'];
  return given?.$ref === undefined ? given : document.components.responses[given.$ref.split('/').at(-1)];
}

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const operation = ({ method, path }: Route): any => document.paths[path][method];

/** The names of the routes that lack something. */
const without = (has: (route: Route) => boolean): string[] =>
  routes.filter((route) => !has(route)).map(nameOf);

function parametersOf(route: Route): { in: string; name: string; required: boolean }[] {
  return operation(route).parameters.map((one: any) =>
    one.$ref === undefined ? one : document.components.parameters[one.$ref.split('/').at(-1)],
  );
}

const named = (route: Route, place: string): string[] =>
  parametersOf(route)
    .filter((one) => one.in === place)
    .map((one) => one.name);

describe('Every route in openapi.json', () => {
  it('is named once, and described', () => {
    expect(routes.length).toBeGreaterThan(80);
    expect(without(({ notes }) => notes.access !== undefined && notes.answer !== undefined)).toEqual([]);
    expect(without((route) => /^[A-Z].{5,80}[^.]$/.test(operation(route).summary ?? ''))).toEqual([]);
    expect(without((route) => (operation(route).description ?? '').length > 40)).toEqual([]);
    expect(new Set(routes.map((route) => route.operationId)).size).toBe(routes.length);
  });

  it('has one tag, and tags come in the order in which people need them', () => {
    expect(without((route) => operation(route).tags.length === 1)).toEqual([]);
    const used = document.tags.map((tag: any) => tag.name);
    expect(used).toEqual(TAGS.map((tag) => tag.name).filter((name) => used.includes(name)));
    expect(used.slice(0, 5)).toEqual(['products', 'plans', 'subscriptions', 'payment methods', 'payments']);
  });

  it('names its path and query parameters', () => {
    const inPath = (route: Route): string[] =>
      [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    expect(without((route) => named(route, 'path').join() === inPath(route).join())).toEqual([]);
    const inQuery = ({ notes }: Route): string[] =>
      notes.query === undefined ? [] : fieldsOf(notes.query).map((field) => field.name);
    expect(without((route) => named(route, 'query').join() === inQuery(route).join())).toEqual([]);
  });

  it('that is a POST and writes no record says so: it keeps no reply under an Idempotency-Key', () => {
    const reading = routes.filter(({ method, notes }) => method === 'post' && notes.writesNothing === true);
    expect(reading.map(({ path }) => path).sort()).toEqual([
      '/plans/preview',
      '/subscriptions/preview',
      '/subscriptions/{id}/change/preview',
      '/users/{id}/tokens',
    ]);
  });

  it('that lists pages has a class for its query', () => {
    const pages = (route: Route): boolean => route.method === 'get' && route.notes.answer?.kind === 'list';
    const paged = ['size', 'page', 'after'];
    expect(
      without((route) => !pages(route) || paged.every((name) => named(route, 'query').includes(name))),
    ).toEqual([]);
  });

  it('names the headers that it reads', () => {
    const common = ['X-Service-Version', 'X-Request-Id'];
    expect(without((route) => common.every((name) => named(route, 'header').includes(name)))).toEqual([]);
    const repeatable = ({ method, notes }: Route): boolean =>
      method !== 'get' && notes.access !== 'open' && notes.writesNothing !== true;
    expect(
      without((route) => named(route, 'header').includes('Idempotency-Key') === repeatable(route)),
    ).toEqual([]);
    const own = ({ notes }: Route): readonly string[] => notes.headers ?? [];
    expect(without((route) => own(route).every((name) => named(route, 'header').includes(name)))).toEqual([]);
  });

  it('that takes the code of a coupon tells users nothing about it, and limits their guesses', () => {
    const takes = ({ notes }: Route): boolean =>
      notes.body?.kind === 'object' && fieldsOf(notes.body.of).some(({ name }) => name === 'coupon');
    expect(without((route) => takes(route) === (route.notes.takesCoupon === true))).toEqual([]);
    const named = (route: Route): boolean => route.notes.faults?.includes('coupon.not_usable') === true;
    expect(without((route) => takes(route) === named(route))).toEqual([]);
    expect(routes.filter(takes)).toHaveLength(6);
  });

  it('names the credentials that it needs', () => {
    const schemes: Record<string, string> = {
      open: '',
      api_key: 'api_key or api_key+service_key',
      admin: 'api_key+service_key',
    };
    const needed = (route: Route): string =>
      operation(route)
        .security.map((one: object) => Object.keys(one).join('+'))
        .join(' or ');
    expect(
      without(
        (route) =>
          needed(route) ===
          (schemes[route.notes.access ?? ''] ?? 'api_key+access_token or api_key+service_key'),
      ),
    ).toEqual([]);
  });

  it('names every status of its replies, and the headers', () => {
    const statuses = (route: Route): string[] => Object.keys(operation(route).responses);
    expect(without((route) => ['400', '500', '503'].every((one) => statuses(route).includes(one)))).toEqual(
      [],
    );
    expect(without((route) => statuses(route).includes('401') === (route.notes.access !== 'open'))).toEqual(
      [],
    );
    expect(without((route) => statuses(route).includes('403') === mayForbid(route))).toEqual([]);
    expect(without((route) => statuses(route).includes('404') === route.path.includes('{'))).toEqual([]);
    const writes = (route: Route): boolean => route.method !== 'get';
    expect(
      without(
        (route) => !writes(route) || ['413', '415', '422'].every((one) => statuses(route).includes(one)),
      ),
    ).toEqual([]);
    const pages = (route: Route): boolean => !writes(route) && route.notes.answer?.kind === 'list';
    const headers = (route: Route): string[] => Object.keys(reply(route)?.headers ?? {});
    expect(
      without(
        (route) => !pages(route) || ['Link', 'X-Total-Count'].every((one) => headers(route).includes(one)),
      ),
    ).toEqual([]);
  });
});

describe('The bodies in openapi.json', () => {
  it('that change a record have no defaults: a client that fills them in would change fields that it omits', () => {
    const puts = routes.filter(({ method }) => method === 'put');
    const fieldsIn = (route: Route): [string, any][] => {
      const { $ref } = operation(route).requestBody.content['application/json'].schema;
      return Object.entries(document.components.schemas[$ref.split('/').at(-1)].properties);
    };
    const filled = puts.flatMap((route) =>
      fieldsIn(route)
        .filter(([, field]) => 'default' in field)
        .map(([name]) => `${nameOf(route)} ${name}`),
    );
    expect(filled).toEqual([]);
    expect(puts.length).toBeGreaterThan(10);
  });

  it('have examples that the routes accept', () => {
    const types = routes.flatMap(({ notes }) => (notes.body && 'of' in notes.body ? [notes.body.of] : []));
    expect(types.length).toBeGreaterThan(25);
    for (const type of new Set(types)) {
      const [example] = document.components.schemas[type.name].examples;
      expect(Object.keys(parseBody(type as new () => object, example))).toEqual(
        expect.arrayContaining(Object.keys(example)),
      );
    }
  });

  it('hold no field that the service keeps to itself', () => {
    const shown = (type: FieldedClass): string[] =>
      fieldsOf(type)
        .filter((one) => !one.hidden)
        .map((one) => one.name);
    for (const { notes } of routes) {
      if (!notes.body || !('of' in notes.body)) continue;
      const { properties } = document.components.schemas[notes.body.of.name];
      expect(Object.keys(properties)).toEqual(shown(notes.body.of));
    }
  });
});

describe('An asset in openapi.json', () => {
  it('has none of the fields that only retail items have', () => {
    const { AssetResource, RetailResource } = document.components.schemas;
    for (const field of ['_sub_products', 'base_price', 'retail_price', 'currency', 'vat']) {
      expect(AssetResource.properties[field]).toBeUndefined();
      expect(RetailResource.required).toContain(field);
    }
  });
});

it('Notes of a route belong to its method alone', () => {
  expect(notesOf(() => undefined)).toEqual({});
});

import { readFileSync } from 'node:fs';

import { Validator } from '@seriousme/openapi-schema-validator';

import { EVENT_KINDS, UNSENT_EVENT_KINDS } from '@commerce/kernel';
import { previewDocument } from '../../apps/api/src/openapi/preview.js';
import { schemaChecker, type Check } from '../schema-checker.js';
import { sourcesIn } from './sources.js';

let document: any;
let check: Check;
beforeAll(async () => {
  document = JSON.parse(JSON.stringify(await previewDocument()));
  check = schemaChecker(document);
});

describe('openapi.json', () => {
  it('matches the routes and records; `npm run openapi` writes it again', () => {
    const written: unknown = JSON.parse(readFileSync('openapi.json', 'utf8'));
    expect(written).toEqual(document);
  });

  it('is a valid document of OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(validator.version).toBe('3.1');
  });

  it('documents the replies of nearly every route', () => {
    const routes: any[] = Object.values(document.paths).flatMap((item: any) => Object.values(item));
    const silent = routes.filter(({ responses: { 200: reply } }) => reply && !reply.$ref && !reply.content);
    expect(silent.length).toBeLessThan(routes.length * 0.15);
  });

  it('refers to nothing outside itself', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
    const held = (path: string): boolean =>
      path.split('/').reduce((at: any, key) => at?.[key], document) !== undefined;
    expect(refs.length).toBeGreaterThan(500);
    expect(refs.filter((path) => !held(path))).toEqual([]);
  });
});

describe('Every field in openapi.json', () => {
  it('of every schema, at any depth, is described', () => {
    const silent: string[] = [];
    let seen = 0;
    walk(document.components.schemas, '', (node, path) => {
      if (/\/examples?(\/|$)/.test(path) || !isSchemaOfObject(node)) return;
      for (const [name, field] of Object.entries<any>(node.properties)) {
        seen += 1;
        if (!/^\S.{3,}[^.]$/s.test(field.description ?? '')) silent.push(`${path}/${name}`);
      }
    });
    expect(silent).toEqual([]);
    expect(seen).toBeGreaterThan(700);
  });

  it('of a query, and every header, is described', () => {
    const silent: string[] = [];
    walk(document, '', (node, path) => {
      const isParameter = typeof node.in === 'string' && typeof node.name === 'string' && 'schema' in node;
      if (isParameter && !node.description) silent.push(`${path} ${String(node.name)}`);
    });
    expect(silent).toEqual([]);
  });
});

describe('The kinds of events in openapi.json', () => {
  it('that are offered occur; the others are accepted, and not offered', () => {
    const sources = sourcesIn(['libs', 'apps'], ['.ts']).filter(
      ({ path }) => !/\.spec\.ts$|event-kinds\.ts$|\.record\.ts$|sample|openapi/.test(path),
    );
    const written = (kind: string): boolean => sources.some(({ text }) => text.includes(`'${kind}'`));
    expect(EVENT_KINDS.filter((kind) => !written(kind))).toEqual(UNSENT_EVENT_KINDS);
    const offered = EVENT_KINDS.filter((kind) => !UNSENT_EVENT_KINDS.includes(kind));
    const { CreateWebhookBody, UpdateWebhookBody, Webhook } = document.components.schemas;
    const kindsIn = ({ properties: { event_type, kinds } }: any): unknown[] => [
      event_type.enum ?? event_type.anyOf[0].enum,
      kinds.items.enum,
    ];
    for (const body of [CreateWebhookBody, UpdateWebhookBody])
      expect(kindsIn(body)).toEqual([offered, ['*', ...offered]]);
    expect(kindsIn(Webhook)).toEqual([EVENT_KINDS, ['*', ...EVENT_KINDS]]);
  });
});

describe('The examples of openapi.json', () => {
  it('of schemas are valid', () => {
    const schemas = Object.entries<any>(document.components.schemas);
    const wrong = schemas.flatMap(([name, schema]) =>
      (schema.examples ?? []).flatMap((example: unknown) => check(`#/components/schemas/${name}`, example)),
    );
    expect(wrong).toEqual([]);
    expect(schemas.filter(([, schema]) => schema.examples).length).toBeGreaterThan(50);
  });

  it('of fields, parameters and headers are valid', () => {
    const wrong: unknown[] = [];
    walk(document, '#', (node, path) => {
      if (!Array.isArray(node.examples) || path.startsWith('#/components/schemas')) return;
      for (const example of node.examples) wrong.push(...check(path, example));
    });
    expect(wrong).toEqual([]);
  });

  it('of replies are valid', () => {
    const wrong: unknown[] = [];
    let checked = 0;
    walk(document, '#', (node, path) => {
      if (node.example === undefined || node.schema === undefined) return;
      checked += 1;
      wrong.push(...check(`${path}/schema`, node.example));
    });
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(10);
  });
});

function isSchemaOfObject(node: any): boolean {
  return typeof node.properties === 'object' && !Array.isArray(node) && node.type !== undefined;
}

function walk(node: any, path: string, visit: (node: any, path: string) => void): void {
  if (typeof node !== 'object' || node === null) return;
  visit(node, path);
  for (const [key, value] of Object.entries(node)) {
    walk(value, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, visit);
  }
}

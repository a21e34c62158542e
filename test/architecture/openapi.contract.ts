import { readFileSync } from 'node:fs';

import { Validator } from '@seriousme/openapi-schema-validator';
import openapiTypes, { astToString } from 'openapi-typescript';

import { previewDocument } from '../../apps/api/src/openapi/preview.js';
import { schemaChecker, type Check } from '../schema-checker.js';

let document: any;
let check: Check;
beforeAll(async () => {
  document = JSON.parse(JSON.stringify(await previewDocument()));
  check = schemaChecker(document);
});

describe('openapi.json', () => {
  it('is what the routes and records say today; `npm run openapi` writes it again', () => {
    const written: unknown = JSON.parse(readFileSync('openapi.json', 'utf8'));
    expect(written).toEqual(document);
  });

  it('is what the types of the client are made of; `npm run openapi` writes them, too', async () => {
    const types = astToString(await openapiTypes(document, { defaultNonNullable: false }));
    const written = readFileSync('clients/typescript/src/schema.ts', 'utf8');
    expect(written.endsWith(types)).toBe(true);
  });

  it('is a valid document of OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(validator.version).toBe('3.1');
  });

  it('says what nearly every route answers with', () => {
    const routes: any[] = Object.values(document.paths).flatMap((item: any) => Object.values(item));
    const silent = routes.filter((route) => route.responses['200'] && !route.responses['200'].content);
    expect(silent.length).toBeLessThan(routes.length * 0.15);
  });

  it('refers to nothing that it does not hold', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
    const held = (path: string): boolean =>
      path.split('/').reduce((at: any, key) => at?.[key], document) !== undefined;
    expect(refs.length).toBeGreaterThan(500);
    expect(refs.filter((path) => !held(path))).toEqual([]);
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
    expect(checked).toBeGreaterThan(50);
  });
});

function walk(node: any, path: string, visit: (node: any, path: string) => void): void {
  if (typeof node !== 'object' || node === null) return;
  visit(node, path);
  for (const [key, value] of Object.entries(node)) {
    walk(value, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, visit);
  }
}

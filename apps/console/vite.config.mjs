import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vite';

const shared = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const FORMS = 'virtual:form-schemas';

/** The bodies of forms and the kinds of events, of the API document, which is several times as large as the console. */
function formSchemas() {
  const { schemas } = JSON.parse(readFileSync(shared('openapi.json'), 'utf8')).components;
  const { kind } = schemas.Event.properties;
  const picked = { Event: { properties: { kind } } };
  const pick = (name) => {
    if (name in picked) return;
    const { examples: _, ...schema } = schemas[name];
    picked[name] = schema;
    for (const [, inner] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) pick(inner);
  };
  Object.keys(schemas)
    .filter((name) => /^(Create|Update)\w+Body$/.test(name))
    .forEach(pick);
  return {
    name: 'form-schemas',
    resolveId: (source) => (source === FORMS ? `\0${FORMS}` : null),
    load: (source) => (source === `\0${FORMS}` ? `export default ${JSON.stringify(picked)}` : null),
  };
}

/** The configuration of the console's build in `npm run build`; the result is served at /console. */
export default defineConfig({
  base: '/console/',
  plugins: [formSchemas()],
  resolve: {
    alias: {
      'commerce-service-client': shared('clients/typescript/src/index.ts'),
      'commerce-service-csv': shared('libs/kernel/src/csv/csv.ts'),
    },
  },
  build: {
    target: 'es2023',
    // Inlined scripts and data URLs would need exceptions in the content security policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The bundle includes the licences of its packages.
    license: { fileName: 'licences.md' },
  },
});

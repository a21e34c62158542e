import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vite';

const shared = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The configuration of the console's build in `npm run build`; the result is served at /console. */
export default defineConfig({
  base: '/console/',
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

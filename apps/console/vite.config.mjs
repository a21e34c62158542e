import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vite';

const client = fileURLToPath(new URL('../../clients/typescript/src/index.ts', import.meta.url));

/** `npm run build` runs it; what is built is served at /console. */
export default defineConfig({
  base: '/console/',
  resolve: { alias: { 'commerce-service-client': client } },
  build: {
    target: 'es2023',
    // Inlined scripts and data addresses would need exceptions in the policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // What is shipped keeps the licences of what it is made from.
    license: { fileName: 'licences.md' },
  },
});

import { ROOT } from '../system/settings.mjs';

/**
 * How SWC compiles the sources, for the build and for the tests: standard ES modules, Nest's decorators with the types
 * of what they decorate, and `@commerce/x` and our own client as relative paths.
 *
 * @type {import('@swc/core').Options}
 */
export const SWC_OPTIONS = {
  swcrc: false,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
    baseUrl: ROOT,
    paths: {
      '@commerce/*': ['./libs/*/src/index.ts'],
      'commerce-service-client': ['./clients/typescript/src/index.ts'],
    },
  },
  module: { type: 'nodenext', resolveFully: true },
};

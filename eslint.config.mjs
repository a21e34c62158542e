import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import node from 'eslint-plugin-n';
import globals from 'globals';
import ts from 'typescript-eslint';

const TIME = [{ object: 'Date', property: 'now', message: 'Ask SystemClock, once per use case.' }];
const RANDOM = [
  { object: 'Math', property: 'random', message: 'Use random() or jittered() of platform/time.' },
];
const ENVIRONMENT = [{ object: 'process', property: 'env', message: 'Settings come from CONFIG.' }];

const CURRENT_DATE = [
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0], CallExpression[callee.name="Date"]',
    message: 'Ask SystemClock, once per use case.',
  },
];

/** Specs and whole-service tests, and what they stand on. */
const TESTS = ['**/*.spec.ts', '**/*.spec-data.ts', 'test/**/*.ts', 'libs/testing/**/*.ts'];

export default ts.config(
  { ignores: ['**/dist', 'clients/typescript/src/schema.ts', 'node_modules', '.data', 'coverage'] },
  js.configs.recommended,
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: globals.node },
    rules: {
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 50, IIFEs: true }],
      'max-params': ['error', { max: 5 }],
    },
  },
  {
    // Sent to browsers as they are.
    files: ['**/assets/*.js'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [ts.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './clients/typescript/tsconfig.json', './apps/console/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // `void` leaves a promise alone as well: a rejection ends the process.
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // Nest modules and nest-commander commands are classes that hold nothing but decorators.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowEmpty: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'off',
      // An interface method that some implementations fulfil without waiting stays async in all of them.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // The code has no enums; the rule would look at every value for a sixth of the time that linting takes.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // Bodies and records are classes for their decorators only; they are values otherwise.
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { n: node },
    settings: { node: { version: '>=20.19.0' } },
    rules: {
      'n/no-unsupported-features/node-builtins': [
        'error',
        { allowExperimental: true, ignores: ['crypto.hash'] },
      ],
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 50, IIFEs: true }],
      '@typescript-eslint/max-params': ['error', { max: 5 }],
      'no-restricted-properties': ['error', ...TIME, ...RANDOM, ...ENVIRONMENT],
      'no-restricted-syntax': ['error', ...CURRENT_DATE],
    },
  },
  // A package of its own, which knows nothing of the service's libraries.
  { files: ['clients/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
  // Runs in browsers, not in Node.
  { files: ['apps/console/**'], rules: { 'n/no-unsupported-features/node-builtins': 'off' } },
  { files: ['apps/console/src/app/clock.ts'], rules: { 'no-restricted-properties': 'off' } },
  // The one place for each of these.
  {
    files: ['apps/sandbox/src/main.ts', 'apps/sandbox/src/create-sandbox.ts'],
    rules: { 'no-restricted-properties': ['error', ...RANDOM, ...ENVIRONMENT] },
  },
  // Only these take effect once under an Idempotency-Key.
  {
    files: ['apps/api/src/**'],
    ignores: ['apps/api/src/http/methods.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@nestjs/common',
              importNames: ['All', 'Delete', 'Patch', 'Post', 'Put'],
              message: 'Import it from http/methods.',
            },
          ],
        },
      ],
    },
  },
  // All connections of the service are opened in one folder, as the settings say.
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: ['libs/platform/src/redis/**', 'libs/stack/**', ...TESTS],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'ioredis', allowTypeImports: true, message: 'RedisClient has or opens the connection.' },
          ],
        },
      ],
    },
  },
  { files: ['libs/platform/src/time/system-clock.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['libs/platform/src/time/random.ts'],
    rules: { 'no-restricted-properties': ['error', ...TIME, ...ENVIRONMENT] },
  },
  {
    files: ['libs/platform/src/config/config.module.ts', 'apps/sandbox/src/config.ts'],
    rules: { 'no-restricted-properties': ['error', ...TIME, ...RANDOM] },
  },
  // These start processes and hand them their environment, and measure what really takes time.
  {
    files: ['tools/**/*.ts', 'libs/stack/**/*.ts', ...TESTS],
    rules: {
      'no-restricted-properties': ['error', ...RANDOM],
      'no-restricted-syntax': 'off',
    },
  },
  // A describe is one function around all its tests.
  { files: TESTS, rules: { 'max-lines-per-function': 'off' } },
  {
    files: TESTS,
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },
  prettier,
);

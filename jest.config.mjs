import { SWC_OPTIONS } from './scripts/setup/swc-options.mjs';

/** Unit and property tests stand beside the code; test/ holds what needs MongoDB, Redis or processes. */
const shared = {
  testEnvironment: '<rootDir>/scripts/jest/environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { ...SWC_OPTIONS, sourceMaps: 'inline' }],
  },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};

export default {
  // Of two cores: many tests wait for other processes.
  maxWorkers: 3,
  // Modules of ended test files are not let go; a worker that has gathered many is slow, and starts anew.
  workerIdleMemoryLimit: '1200MB',
  // Only here does jest heed it, and flows and faults wait for real processes.
  testTimeout: 60_000,
  reporters: ['default', '<rootDir>/scripts/jest/closing-line-reporter.mjs'],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      rootDir: import.meta.dirname,
      roots: ['<rootDir>/libs', '<rootDir>/apps'],
      setupFilesAfterEnv: ['<rootDir>/test/retry-in-ci.ts'],
      testMatch: ['**/*.spec.ts'],
    },
    {
      ...shared,
      displayName: 'service',
      rootDir: import.meta.dirname,
      roots: ['<rootDir>/test'],
      setupFilesAfterEnv: ['<rootDir>/test/retry-in-ci.ts', '<rootDir>/scripts/jest/listen-in-tests.mjs'],
      testMatch: ['**/*.e2e.ts', '**/*.flow.ts', '**/*.fault.ts', '**/*.contract.ts'],
    },
    // Runs by itself after all others: it explains the commands that they sent.
    ...(process.env.EXPLAIN_COMMANDS === undefined
      ? []
      : [
          {
            ...shared,
            displayName: 'explain',
            rootDir: import.meta.dirname,
            roots: ['<rootDir>/test/explain'],
            testMatch: ['**/*.explain.ts'],
          },
        ]),
  ],
};

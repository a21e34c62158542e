/** Unit and property tests stand beside the code; test/ holds what needs MongoDB, Redis or processes. */
const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/scripts/jest/environment.mjs',
  testRunner: '<rootDir>/scripts/jest/runner.mjs',
  transform: {},
};

export default {
  // Of two cores: many tests wait for other processes.
  maxWorkers: 5,
  testSequencer: '<rootDir>/scripts/jest/longest-first.mjs',
  // Only here does jest heed it, and flows and faults wait for real processes.
  testTimeout: 60_000,
  reporters: ['default', '<rootDir>/scripts/jest/closing-line-reporter.mjs'],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      roots: ['<rootDir>/libs', '<rootDir>/apps'],
      testMatch: ['**/*.spec.ts'],
    },
    {
      ...shared,
      displayName: 'service',
      roots: ['<rootDir>/test'],
      testMatch: ['**/*.e2e.ts', '**/*.flow.ts', '**/*.fault.ts', '**/*.contract.ts'],
    },
    // Runs by itself after all others: it explains the commands that they sent.
    ...(process.env.EXPLAIN_COMMANDS === undefined
      ? []
      : [
          {
            ...shared,
            displayName: 'explain',
            roots: ['<rootDir>/test/explain'],
            testMatch: ['**/*.explain.ts'],
          },
        ]),
  ],
};

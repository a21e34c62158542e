/**
 * Jest's runner of one test file, jest-circus, with the file and all that it imports as plain modules of the process.
 *
 * Jest's own runtime evaluates the service and its packages anew for each file, in a context of the file's own: half of
 * the time of all tests. Here the files that a process runs share them, so no test may count on fresh module state.
 */
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const hooks = require('node:async_hooks');
// @ts-expect-error It comes without declarations.
const { default: runFile } = require('jest-circus/runner');

register('./typescript.mjs', import.meta.url);
process.setSourceMapsEnabled(true);

// Scenarios on real processes, ports and timers may fail on a busy machine. In CI a failed one runs a second time and
// its first failure is printed; a real defect fails twice. This is `jest.retryTimes(1, { logErrorsBeforeRetry: true })`.
if (process.env.CI === 'true')
  Object.assign(globalThis, {
    [Symbol.for('RETRY_TIMES')]: 1,
    [Symbol.for('LOG_ERRORS_BEFORE_RETRY')]: true,
  });

/** Before Node 24, every promise of the process pays for each storage that was ever used: all files share one. */
const STORAGE = Number.parseInt(process.versions.node, 10) < 24 ? new hooks.AsyncLocalStorage() : null;

/**
 * @param {unknown} globalConfig
 * @param {unknown} config
 * @param {unknown} environment
 * @param {object} runtime
 * @param {...unknown} rest
 */
export default function run(globalConfig, config, environment, runtime, ...rest) {
  const plain = Object.assign(Object.create(runtime), {
    requireInternalModule: requireAnew,
    unstable_shouldLoadAsEsm: () => true,
    /** @param {string} path */
    unstable_importModule: (path) => import(pathToFileURL(path).href),
  });
  return runFile(globalConfig, config, environment, plain, ...rest);
}

/** @param {string} path  the part of jest-circus that holds the tests of one file */
function requireAnew(path) {
  delete require.cache[path];
  if (STORAGE === null) return require(path);
  const { AsyncLocalStorage } = hooks;
  hooks.AsyncLocalStorage = new Proxy(AsyncLocalStorage, { construct: () => STORAGE });
  try {
    return require(path);
  } finally {
    hooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

/**
 * Jest's environment of a test file for Node, which in addition lets go of what the file's copy of the service follows.
 *
 * Node 20 offers each new promise to every AsyncLocalStorage that was ever entered: those of ended files made the
 * later ones of a worker slower and slower.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

const { run, enterWith } = AsyncLocalStorage.prototype;
/** @type {Set<AsyncLocalStorage<unknown>>} */
const entered = new Set();

Object.assign(AsyncLocalStorage.prototype, {
  /**
   * @this {AsyncLocalStorage<unknown>}
   * @param {Parameters<typeof run>} args
   */
  run(...args) {
    entered.add(this);
    return run.apply(this, args);
  },
  /**
   * @this {AsyncLocalStorage<unknown>}
   * @param {unknown} store
   */
  enterWith(store) {
    entered.add(this);
    enterWith.call(this, store);
  },
});

export default class Environment extends TestEnvironment {
  /** @override */
  async teardown() {
    for (const storage of entered) storage.disable();
    entered.clear();
    await super.teardown();
  }
}

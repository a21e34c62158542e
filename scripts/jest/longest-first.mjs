/**
 * The order of test files without the durations of an earlier run, as in a fresh clone: the folders whose files take
 * longest come first, so that no process has one of them left when the others are done.
 */
import { createRequire } from 'node:module';
import { sep } from 'node:path';

const require = createRequire(import.meta.url);
const { default: Sequencer } = require('@jest/test-sequencer');

const LONGEST = ['faults', 'invoices', 'cli', 'console', 'docs', 'flows'].map(
  (name) => `${sep}${name}${sep}`,
);

/** @param {{ path: string }} test */
function rank({ path }) {
  const index = path.includes(`${sep}test${sep}`) ? LONGEST.findIndex((folder) => path.includes(folder)) : -1;
  return index === -1 ? LONGEST.length : index;
}

export default class LongestFirst extends Sequencer {
  /**
   * @override
   * @param {Parameters<Sequencer['sort']>[0]} tests
   */
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

import { writeFileSync } from 'node:fs';

/**
 * Prints the plain closing line that a CI reads: `N passed, N failed`. A suite that did not run counts as failed.
 * Where something follows the tests, CLOSING_COUNTS names the file that is told the counts instead.
 * Jest loads reporters without compiling them, so this is no TypeScript.
 */
export default class ClosingLineReporter {
  /**
   * @param {unknown} _contexts
   * @param {Record<'numPassedTests' | 'numFailedTests' | 'numRuntimeErrorTestSuites' | 'numPendingTests' | 'numTodoTests',
   *   number>} results
   */
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const { CLOSING_COUNTS: file } = process.env;
    if (file) {
      writeFileSync(file, JSON.stringify({ passed: results.numPassedTests, failed, skipped }));
      return;
    }
    const line = `${results.numPassedTests} passed, ${failed} failed`;
    // Jest prints its own summary after this call; a CI looks at the end of the output.
    process.once('exit', () =>
      process.stdout.write(`\n${line}${skipped > 0 ? `, ${skipped} skipped` : ''}\n`),
    );
  }
}

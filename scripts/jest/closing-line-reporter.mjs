/**
 * Prints the plain closing line that a CI reads: `N passed, N failed`. A suite that did not run counts as failed.
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
    const line = `${results.numPassedTests} passed, ${failed} failed`;
    // Jest prints its own summary after this call; a CI looks at the end of the output.
    process.once('exit', () =>
      process.stdout.write(`\n${line}${skipped > 0 ? `, ${skipped} skipped` : ''}\n`),
    );
  }
}

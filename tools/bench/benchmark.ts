import type { App } from '@commerce/stack';

import type { BenchContext } from './context.js';
import type { Measured } from './measure/compare.js';

export interface Benchmark {
  /** Its name on the command line, and the mark of its numbers on the page. */
  readonly name: string;
  /** The processes that it needs, and their own settings. */
  readonly apps: readonly App[];
  readonly env?: NodeJS.ProcessEnv;
  run(context: BenchContext): Promise<Measured[]>;
}

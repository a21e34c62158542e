import type { App } from '@commerce/stack';

import type { BenchContext } from './context.js';
import type { Comparison } from './measure/summary.js';
import type { Scale } from './scale.js';

export interface Benchmark {
  /** Its letter on the command line. */
  readonly key: string;
  readonly name: string;
  readonly title: string;
  /** The processes that it needs. */
  readonly apps: readonly App[];
  /** Settings of its own for them. */
  readonly env: NodeJS.ProcessEnv;
  /** What it does, for the page. */
  about(scale: Scale): string;
  run(context: BenchContext): Promise<Measured[]>;
}

/** What a benchmark found. */
export interface Measured {
  readonly what: string;
  /** What is counted. */
  readonly unit: string;
  /** The ratio that we want to reach; null where it is only told. */
  readonly aim: number | null;
  readonly result: Comparison;
}

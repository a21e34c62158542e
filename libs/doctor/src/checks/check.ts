import type { Finding } from './finding.js';
import type { Walk } from './walk.js';

/** Checks one kind of record in one company. What is in progress is not a finding. */
export interface Check {
  check(walk: Walk): AsyncGenerator<Finding>;
}

import { ROWS, type Again } from './fault-rows.js';

/** The documented meaning of a fault code. */
export interface FaultEntry {
  readonly code: string;
  readonly status: number;
  readonly meaning: string;
  readonly again: Again;
}

/** The default for all codes of a status. */
export function againBy(status: number): Again {
  return status === 429 || status === 503 ? 'soon' : 'never';
}

/** Every code with which a request can be refused; docs/errors.md is generated from it. */
export const FAULTS: ReadonlyMap<string, FaultEntry> = new Map(
  ROWS.map(([code, status, meaning, again = againBy(status)]) => [code, { code, status, meaning, again }]),
);

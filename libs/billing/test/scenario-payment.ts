import type { Charge } from '../src/domain/cycle/decision.js';

/**
 * The card's response to an attempt. `silent`: no answer until `answer` is called; `slow`: accepted, and the result comes
 * with `answer`.
 */
export type Outcome = 'yes' | 'soft' | 'hard' | 'auth' | 'silent' | 'slow';

export const STATUS_OF = {
  yes: 'SUCCEEDED',
  soft: 'FAILED',
  hard: 'FAILED',
  auth: 'REQUIRES_AUTH',
  slow: 'PROCESSING',
} as const;

export interface ScenarioPayment {
  readonly key: string;
  readonly charge: Charge;
  readonly at: Date;
  attempts: number;
  paid_minor: number;
  refunded_minor: number;
  /** Keys of the refunds that billing has made of it. */
  readonly refund_keys: Set<string>;
  status: 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'REQUIRES_AUTH';
}

import { spread, type SendResult } from '@commerce/platform';

/** The consequence of an attempt's result. */
export type Verdict =
  | { readonly kind: 'succeeded' }
  /** Try again after this many milliseconds. */
  | { readonly kind: 'again'; readonly delayMs: number }
  /** No attempt is left. */
  | { readonly kind: 'exhausted' }
  /** The endpoint has said that it is gone for good. */
  | { readonly kind: 'gone' };

/** The attempt to be judged. */
export interface AttemptMade {
  /** Within its round; 1 is the first. */
  readonly number: number;
  readonly isLast: boolean;
}

export interface AttemptRules {
  /** The delays after the first, second… attempt. */
  readonly delaysMs: readonly number[];
  /** Uniform in [0, 1). */
  readonly random?: () => number;
}

/**
 * Judges an attempt. Only a status of 2XX is a success. The delay before the next attempt varies by ±20 %, so that
 * deliveries that failed together are not retried together.
 */
export function judge(result: SendResult, made: AttemptMade, rules: AttemptRules, now: Date): Verdict {
  if (result.kind === 'answered') {
    if (result.status >= 200 && result.status < 300) return { kind: 'succeeded' };
    if (result.status === 410) return { kind: 'gone' };
  }
  const base = rules.delaysMs[made.number - 1];
  if (made.isLast || base === undefined) return { kind: 'exhausted' };
  if (result.kind === 'answered' && result.retryAfter !== null) {
    return { kind: 'again', delayMs: clamp(retryAfterMs(result.retryAfter, now), base, 2 * base) };
  }
  return { kind: 'again', delayMs: Math.round(spread(base, 0.8, 1.2, rules.random)) };
}

/** The milliseconds that a Retry-After asks for, as seconds or as an HTTP date; 0 if it is neither. */
export function retryAfterMs(value: string, now: Date): number {
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Only the format that HTTP prescribes; Date.parse accepts nearly anything.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return 0;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

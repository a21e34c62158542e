/** When and how often a request is sent again. */
export interface RetryOptions {
  /** How often a request is sent in all; 1 switches retries off, and with them the keys that make them safe. */
  readonly attempts: number;
  /** The first wait in milliseconds; it doubles, with jitter, up to `maxWaitMs`. */
  readonly waitMs: number;
  readonly maxWaitMs: number;
}

export const DEFAULT_RETRY: RetryOptions = { attempts: 4, waitMs: 250, maxWaitMs: 8000 };

const WRITES = new Set(['POST', 'PUT', 'DELETE']);

/** Outcomes after which the same request may be sent again: under its Idempotency-Key it takes effect once. */
const AGAIN = new Set([429, 502, 503, 504]);

/** A Retry-After beyond this is left to the caller. */
const LONGEST_WAIT_MS = 60_000;

type Fetch = (request: Request) => Promise<Response>;

/**
 * A fetch that gives every write an Idempotency-Key and sends it again under the same key when there was no answer,
 * or one that says "try again". Where nothing is sent again, keys are left to the caller.
 */
export function retrying(send: Fetch, options: RetryOptions, timeoutMs: number): Fetch {
  return async (request) => {
    const repeats = options.attempts > 1 && WRITES.has(request.method);
    if (repeats && !request.headers.has('Idempotency-Key')) {
      request.headers.set('Idempotency-Key', globalThis.crypto.randomUUID());
    }
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt >= options.attempts;
      let wait = backoff(attempt, options);
      try {
        const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
        const response = await send(new Request(request.clone(), { signal }));
        if (last || !(await isTransient(response))) return response;
        const asked = retryAfterMs(response);
        if (asked > LONGEST_WAIT_MS) return response;
        wait = Math.max(wait, asked);
      } catch (error) {
        if (last || request.signal.aborted) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };
}

/** 409 is transient only while the first request of this key is still running. */
async function isTransient(response: Response): Promise<boolean> {
  if (AGAIN.has(response.status)) return true;
  if (response.status !== 409) return false;
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { code?: unknown } | null;
  return body?.code === 'idempotency_key.in_flight';
}

function backoff(attempt: number, { waitMs, maxWaitMs }: RetryOptions): number {
  return Math.min(maxWaitMs, waitMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}

function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('Retry-After'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
}

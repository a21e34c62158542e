export interface Waiting<T> {
  /** The expected event, named in the error when it does not come. */
  readonly what?: string;
  /** Pause before the next question. */
  readonly pauseMs?: (answer: T) => number;
}

/** Asks again until the answer is as expected, or just true; fails with the last answer. */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  wanted: (answer: T) => boolean = Boolean,
  timeoutMs = 20_000,
  { what = 'the wanted answer', pauseMs = () => 50 }: Waiting<T> = {},
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (performance.now() > end) {
      const last = JSON.stringify(answer ?? null).slice(0, 2000);
      throw new Error(
        `waited ${String(timeoutMs / 1000)} s in vain for ${what}; the last answer was ${last}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs(answer)));
  }
}

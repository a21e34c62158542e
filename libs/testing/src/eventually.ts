export interface Waiting<T> {
  /** The expected event, named in the error when it does not come. */
  readonly what?: string;
  /** Pause before the next question; from FIRST_PAUSE_MS to LAST_PAUSE_MS where it is left out. */
  readonly pauseMs?: (answer: T) => number;
}

/** Questions take processor time from what is waited for, so they become rarer. */
const FIRST_PAUSE_MS = 25;
const LAST_PAUSE_MS = 250;
const GROWTH = 1.4;

/** Asks again until the answer is as expected, or just true; fails with the last answer. */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  wanted: (answer: T) => boolean = Boolean,
  timeoutMs = 20_000,
  { what = 'the wanted answer', pauseMs }: Waiting<T> = {},
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * GROWTH, LAST_PAUSE_MS)) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (performance.now() > end) {
      const last = JSON.stringify(answer ?? null).slice(0, 2000);
      throw new Error(
        `waited ${String(timeoutMs / 1000)} s in vain for ${what}; the last answer was ${last}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs?.(answer) ?? pause));
  }
}

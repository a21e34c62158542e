const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Checks of a payment without an answer, counted from the opening of its attempt; real time. */
const CHECKS = [1 * MINUTE, 5 * MINUTE, 1 * HOUR, 6 * HOUR, 23 * HOUR];

/**
 * Delays before a request that certainly was not sent is sent again; after the last one its payment counts as unknown.
 */
const UNSENT = [1_000, 2_000, 4_000, 8_000, 16_000];

/** Date at which to send again after `unsent` tries; null after too many. */
export function nextSend(unsent: number, now: Date): Date | null {
  const wait = UNSENT[unsent];
  return wait === undefined ? null : new Date(now.getTime() + wait);
}

/**
 * The provider may forget a key after a day. Until then a request is sent again; after that the provider is asked
 * first.
 */
const KEY_LIFETIME = 23 * HOUR;

/** The interval after the last of the checks. */
const THEREAFTER = 6 * HOUR;

/** Date of the next check of an attempt that was opened at `openedAt`. */
export function nextCheck(openedAt: Date, now: Date): Date {
  const age = now.getTime() - openedAt.getTime();
  const wait = CHECKS.find((check) => check > age);
  return wait === undefined ? new Date(now.getTime() + THEREAFTER) : new Date(openedAt.getTime() + wait);
}

/** Date of the next try of a refund or a cancellation, after a number of tries without an answer. */
export function nextTry(tries: number, now: Date): Date {
  const wait = CHECKS[Math.min(Math.max(tries, 1), CHECKS.length) - 1] ?? THEREAFTER;
  return new Date(now.getTime() + wait);
}

/** Delays before a failed refund is tried again, by the number of failed refunds of the payment. */
const OWED = [1 * HOUR, 6 * HOUR, 24 * HOUR, 72 * HOUR];
const OWED_THEREAFTER = 168 * HOUR;

export function nextOwedTry(failed: number, now: Date): Date {
  return new Date(now.getTime() + (OWED[failed - 1] ?? OWED_THEREAFTER));
}

/** True while the provider still knows the key of an attempt opened at `openedAt`. */
export function keyLives(openedAt: Date, now: Date): boolean {
  return now.getTime() - openedAt.getTime() < KEY_LIFETIME;
}

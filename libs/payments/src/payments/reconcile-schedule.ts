const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** When a payment without an answer is looked at again, counted from the opening of its attempt; real time. */
const CHECKS = [1 * MINUTE, 5 * MINUTE, 1 * HOUR, 6 * HOUR, 23 * HOUR];

/** The provider may forget a key after a day. Until then the request is sent again, later the provider is asked first. */
const KEY_LIFETIME = 23 * HOUR;

/** How often after the last check. */
const THEREAFTER = 6 * HOUR;

/** The next look at an attempt that was opened then. */
export function nextCheck(openedAt: Date, now: Date): Date {
  const age = now.getTime() - openedAt.getTime();
  const wait = CHECKS.find((check) => check > age);
  return wait === undefined ? new Date(now.getTime() + THEREAFTER) : new Date(openedAt.getTime() + wait);
}

/** The next try of a refund or a cancellation after so many that brought no answer. */
export function nextTry(tries: number, now: Date): Date {
  const wait = CHECKS[Math.min(Math.max(tries, 1), CHECKS.length) - 1] ?? THEREAFTER;
  return new Date(now.getTime() + wait);
}

/** True while the provider still knows the key of an attempt that was opened then. */
export function keyLives(openedAt: Date, now: Date): boolean {
  return now.getTime() - openedAt.getTime() < KEY_LIFETIME;
}

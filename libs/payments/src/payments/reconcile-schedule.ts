const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** When a payment without an answer is looked at again, counted from when its attempt was opened; real time. */
const CHECKS = [1 * MINUTE, 5 * MINUTE, 1 * HOUR, 6 * HOUR, 23 * HOUR];

/** The provider may forget a key after a day. Until then a request is sent again; after that the provider is asked first. */
const KEY_LIFETIME = 23 * HOUR;

/** The interval after the last of the checks. */
const THEREAFTER = 6 * HOUR;

/** When to look next at an attempt that was opened then. */
export function nextCheck(openedAt: Date, now: Date): Date {
  const age = now.getTime() - openedAt.getTime();
  const wait = CHECKS.find((check) => check > age);
  return wait === undefined ? new Date(now.getTime() + THEREAFTER) : new Date(openedAt.getTime() + wait);
}

/** When to try a refund or a cancellation next, after so many tries without an answer. */
export function nextTry(tries: number, now: Date): Date {
  const wait = CHECKS[Math.min(Math.max(tries, 1), CHECKS.length) - 1] ?? THEREAFTER;
  return new Date(now.getTime() + wait);
}

/** When a refund that has failed is tried again, by how many of the payment have failed. */
const OWED = [1 * HOUR, 6 * HOUR, 24 * HOUR, 72 * HOUR];
const OWED_THEREAFTER = 168 * HOUR;

export function nextOwedTry(failed: number, now: Date): Date {
  return new Date(now.getTime() + (OWED[failed - 1] ?? OWED_THEREAFTER));
}

/** True while the provider still knows the key of an attempt that was opened then. */
export function keyLives(openedAt: Date, now: Date): boolean {
  return now.getTime() - openedAt.getTime() < KEY_LIFETIME;
}

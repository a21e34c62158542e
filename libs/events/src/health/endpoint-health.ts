import type { DeliveryAttempt } from '../delivery/delivery.record.js';

const HOUR_MS = 3_600_000;

/** Hours by which attempts are counted, the current one included. */
export const HEALTH_HOURS = 24;

/** A delivery, with the attempts that it keeps. */
export interface RecentDelivery {
  readonly attempts: readonly Pick<DeliveryAttempt, 'at' | 'status'>[];
}

/** The attempts of one hour. */
export interface HourOfAttempts {
  readonly from: Date;
  readonly attempts: number;
  readonly failed: number;
}

/** `idle`: no attempt in these hours. `failing`: none has succeeded since the last one that did. */
export const ENDPOINT_STATES = ['idle', 'delivering', 'failing'] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** How an endpoint answers. */
export interface EndpointHealth {
  readonly state: EndpointState;
  /** The last attempt that succeeded; null where none is known. */
  readonly last_success: Date | null;
  /** The first attempt that failed since then; null unless it is failing. */
  readonly failing_since: Date | null;
  /** By hour, the oldest first. */
  readonly hours: readonly HourOfAttempts[];
}

/** Judges an endpoint by the attempts of its deliveries. */
export function endpointHealth(deliveries: readonly RecentDelivery[], now: Date): EndpointHealth {
  const attempts = deliveries.flatMap((delivery) => delivery.attempts);
  const successes = attempts.filter(succeeded).map(({ at }) => at);
  const last_success = latest(successes);
  const failures = attempts
    .filter((one) => !succeeded(one) && (last_success === null || one.at > last_success))
    .map(({ at }) => at);
  const failing_since = earliest(failures);
  const state = failing_since !== null ? 'failing' : last_success !== null ? 'delivering' : 'idle';
  return { state, last_success, failing_since, hours: hoursOf(attempts, now) };
}

/** The start of the first hour that is counted. */
export function healthSince(now: Date): Date {
  const hour = Math.floor(now.getTime() / HOUR_MS) - HEALTH_HOURS + 1;
  return new Date(hour * HOUR_MS);
}

function hoursOf(attempts: RecentDelivery['attempts'], now: Date): HourOfAttempts[] {
  const first = healthSince(now).getTime();
  return Array.from({ length: HEALTH_HOURS }, (_, index) => {
    const from = first + index * HOUR_MS;
    const made = attempts.filter(({ at }) => at.getTime() >= from && at.getTime() < from + HOUR_MS);
    const failed = made.filter((one) => !succeeded(one)).length;
    return { from: new Date(from), attempts: made.length, failed };
  });
}

function succeeded({ status }: Pick<DeliveryAttempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

function latest(dates: readonly Date[]): Date | null {
  return dates.reduce<Date | null>((last, date) => (last === null || date > last ? date : last), null);
}

function earliest(dates: readonly Date[]): Date | null {
  return dates.reduce<Date | null>((first, date) => (first === null || date < first ? date : first), null);
}
